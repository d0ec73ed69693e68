---------------------- MODULE NativeFailsInConstraint -----------------------
(* An operator that TLC implements natively fails in a constraint.           *)
EXTENDS Integers

VARIABLE x

Init == x = 0
Next == x < 3 /\ x' = x + 1
Fine == 1 \div (2 - x) < 5
=============================================================================
