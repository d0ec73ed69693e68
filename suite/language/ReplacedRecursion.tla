------------------------- MODULE ReplacedRecursion -------------------------
(* A configuration that replaces an operator by one which uses it: inside   *)
(* of the other it means the other, so this is a recursion, and it ends.    *)
EXTENDS Naturals
VARIABLE x
Down(n) == n
With(n, F(_)) == F(n)
Slowly(n) == IF n = 0 THEN 0 ELSE 1 + With(n - 1, Down)
Init == x = 0
Next == x < 5 /\ x' = Down(x) + 1
Inv == Down(x) = x
=============================================================================
