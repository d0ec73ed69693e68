------------------------- MODULE StepPropertyFails --------------------------
(* A property of steps without a value for some step.                        *)
EXTENDS Integers

VARIABLE x

Init == x = 0
Next == x' = (x + 1) % 9
Falls == [][<<1, 2>>[x'] > 0]_x
=============================================================================
