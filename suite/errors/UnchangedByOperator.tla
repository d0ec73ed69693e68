------------------------ MODULE UnchangedByOperator -------------------------
(* UNCHANGED looks through definitions without parameters and through        *)
(* tuples; not through an operator with an argument.                         *)
EXTENDS Integers

VARIABLES x, y

Tuple(v) == <<v>>
Init == x = 0 /\ y = 0
Next == x' = (x + 1) % 3 /\ UNCHANGED <<Tuple(y)>>
=============================================================================
