----------------------- MODULE InvariantFailsAtStart ------------------------
(* An invariant without a value in an initial state.                         *)
EXTENDS Integers

VARIABLE x

Init == x \in {1, 9}
Next == x' = x
Known == <<10, 20, 30>>[x] > 5
=============================================================================
