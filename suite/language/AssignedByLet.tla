---------------------------- MODULE AssignedByLet ---------------------------
(* The left side of an assignment may be a LET or a definition that names  *)
(* the variable, in an action and in ENABLED.                              *)
EXTENDS Integers

VARIABLES x, y

xx == x
NextX == xx'

Init == (LET z == x IN z) = 1 /\ y = 0
Next ==
    \/ x < 3 /\ (LET z == x' IN z) = x + 1 /\ (LET q == y w == q IN w') \in {0, 1}
    \/ x < 3 /\ NextX = x + 2 /\ y' = 0
Inv ==
    /\ ENABLED ((LET z == y' IN z) = 0)
    /\ ENABLED (LET z == x' IN (LET a == z IN a) = 5 /\ NextX > 4)
    /\ ~ENABLED ((LET z == x' IN z) = 5 /\ NextX > 5)
=============================================================================
