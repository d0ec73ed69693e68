--------------------------- MODULE QuantifiedOrder --------------------------
(* In which order the instances of \A in an action are looked at: the first, *)
(* and then the others from the last on, until one is false. As a test, when *)
(* every variable has its value, it goes through them in order.              *)
EXTENDS Naturals, TLC

VARIABLE x

Init == x = 0
Assigning == x = 0 /\ \A n \in 1..4 : PrintT(<<"assigning", n>>) /\ x' = 1
Testing == x = 1 /\ x' = 2 /\ \A n \in 1..4 : PrintT(<<"testing", n>>)
Failing == x = 2 /\ \A n \in 1..4 : PrintT(<<"failing", n>>) /\ x' = 3 /\ n # 3
Next == Assigning \/ Testing \/ Failing
Range == x \in 0..2
=============================================================================
