----------------------------- MODULE AllAssigned ----------------------------
(* How many successors one step has. A choice before the last variable has   *)
(* its value makes one successor for each branch, duplicates included. When  *)
(* every variable has one, the rest of a conjunction is a test. Each         *)
(* configuration takes one form of the same step from 0 to 1.                *)
EXTENDS Naturals

CONSTANT Form
VARIABLE x

Step ==
    CASE Form = "or after" -> x' = 1 /\ (TRUE \/ TRUE)
      [] Form = "or before" -> (x' = 1 \/ x' = 1) /\ TRUE
      [] Form = "exists around" -> \E i \in 1..5 : x' = 1
      [] Form = "exists after" -> x' = 1 /\ \E i \in 1..5 : i > 0
      [] Form = "exists before" -> (\E i \in 1..5 : i > x) /\ x' = 1
      [] Form = "in" -> x' \in {1, 1} /\ x' \in {0, 1, 2}
      [] Form = "same twice" -> x' = 1 /\ (x' = 1 \/ x' = 1)
      [] Form = "bullets" -> /\ \/ x' = 1
                                \/ x' = 1
                             /\ \/ x' = 1
                                \/ x' = 1

Init == x = 0
Next == x = 0 /\ Step
Range == x \in 0..1
=============================================================================
