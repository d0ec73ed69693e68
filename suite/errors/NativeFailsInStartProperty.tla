--------------------- MODULE NativeFailsInStartProperty ---------------------
(* An operator that TLC implements natively fails in a property of initial   *)
(* states.                                                                   *)
EXTENDS Integers

VARIABLE x

Init == x = 0
Next == x < 3 /\ x' = x + 1
Fine == 1 \div x < 5
=============================================================================
