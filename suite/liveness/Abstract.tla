------------------------------- MODULE Abstract -----------------------------
(* For `Refined` to instantiate: a bit that is flipped again and again.      *)
EXTENDS Naturals
VARIABLE bit
Init == bit = 0
Flip == bit' = 1 - bit
Spec == Init /\ [][Flip]_bit /\ WF_bit(Flip)
Strong == Init /\ [][Flip]_bit /\ SF_bit(Flip)
Live == []<>(bit = 1)
=============================================================================
