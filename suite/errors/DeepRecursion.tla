--------------------------- MODULE DeepRecursion ----------------------------
(* Twenty thousand calls one inside the other. TLC runs out of stack, and    *)
(* says so as if the definition were wrong; nothing is wrong with it.        *)
EXTENDS Integers

VARIABLE x

RECURSIVE Count(_)
Count(n) == IF n = 0 THEN 0 ELSE 1 + Count(n - 1)
Init == x = 0
Next == x < 2 /\ x' = x + (Count(20000) \div 20000)
Small == x <= 2
=============================================================================
