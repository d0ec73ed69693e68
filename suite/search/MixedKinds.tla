------------------------------ MODULE MixedKinds ----------------------------
(* Over time one variable may hold values that cannot be compared, if nobody *)
(* compares them: an empty sequence and an empty set are different states.   *)
EXTENDS Naturals

VARIABLES v, k

Init == v = 0 /\ k = 0
Next ==
    /\ k < 6
    /\ k' = k + 1
    /\ CASE k = 0 -> v' = <<>>
         [] k = 1 -> v' = {}
         [] k = 2 -> v' = "s"
         [] k = 3 -> v' = TRUE
         [] k = 4 -> v' = [a |-> 1]
         [] k = 5 -> v' = <<1>>
Same == k <= 6
WithoutK == v
=============================================================================
