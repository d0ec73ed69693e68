---------------------------- MODULE AssumptionFalse -------------------------
(* The second of three assumptions is false; no state is made.               *)
EXTENDS Naturals

CONSTANT N
VARIABLE x

ASSUME N > 0
ASSUME N % 2 = 0
ASSUME N < 100
Init == x = 0
Next == x' = x
=============================================================================
