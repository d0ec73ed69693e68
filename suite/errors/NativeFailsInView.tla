------------------------- MODULE NativeFailsInView --------------------------
(* An operator that TLC implements natively fails in the view.               *)
EXTENDS Integers

VARIABLE x

Init == x = 0
Next == x < 3 /\ x' = x + 1
Seen == 12 \div (2 - x)
=============================================================================
