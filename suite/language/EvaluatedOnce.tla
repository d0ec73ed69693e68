---------------------------- MODULE EvaluatedOnce ---------------------------
(* When definitions are evaluated: a constant definition without parameters  *)
(* once before everything else, used or not; a LET in an action each time    *)
(* its name is used; a LET in a value once.                                  *)
EXTENDS Naturals, TLC

VARIABLE x

Used == Print("constant, used", 2)
Unused == Print("constant, not used", 3)
Failing == CHOOSE i \in {} : Print("fails quietly", TRUE)
WithParameter(k) == Print("operator", k)
StateLevel == Print("state", x)

ASSUME (LET v == Print("value let", 1) IN v + v) = 2

Init == x = Used - Used
InAction == LET v == Print("action let", 1) IN x = 0 /\ x' = v /\ v = 1
InValue == x = 1 /\ x' = (LET v == Print("let in a value", 1) IN v + v)
ByOperator == x = 2 /\ x' = WithParameter(Used + 1)
ByState == x = 3 /\ StateLevel = StateLevel /\ x' = 0
Next == InAction \/ InValue \/ ByOperator \/ ByState
Range == x \in 0..3
=============================================================================
