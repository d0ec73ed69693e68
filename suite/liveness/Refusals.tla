------------------------------- MODULE Refusals -----------------------------
(* Temporal formulas that TLC cannot check.                                  *)
EXTENDS Naturals
VARIABLE x
Init == x = 0
Next == x' = (x + 1) % 3
Spec == Init /\ [][Next]_x /\ WF_x(Next)
AStep == <><<Next>>_x
BoxInside == [](x = 1 => [][Next]_x)
BoxOrState == [][Next]_x \/ <>(x = 1)
Same == <>(x = 1) <=> <>(x = 2)
OfState == \A i \in 0..x : <>(x = i)
Nothing == \A i \in {} : <>(x = i)
=============================================================================
