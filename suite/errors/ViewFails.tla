----------------------------- MODULE ViewFails ------------------------------
(* A view without a value in some state.                                     *)
EXTENDS Integers

VARIABLE x

Init == x = 0
Next == x' = (x + 1) % 9
Seen == <<1, 2, 3>>[x + 1]
=============================================================================
