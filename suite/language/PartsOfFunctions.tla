-------------------------- MODULE PartsOfFunctions --------------------------
(* Of a constant function that is applied only the value that is asked for *)
(* must exist, whether it is written out, has a name, or is an argument.   *)
EXTENDS Integers

VARIABLE x

Half == [y \in {0, 1, 2} |-> 2 \div y]
Apply(f, i) == f[i]

Init == x = 1
Next ==
    \/ x < 3 /\ x' = x + [y \in {0, 1, 2} |-> 2 \div y][x]
    \/ x < 3 /\ x' = x + Half[x]
    \/ x < 3 /\ LET f == [y \in {0, 1, 2} |-> 2 \div y] IN x' = x + f[x]
    \/ x < 3 /\ x' = x + Apply([y \in {0, 1, 2} |-> 2 \div y], x)
=============================================================================
