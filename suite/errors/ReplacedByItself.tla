------------------------- MODULE ReplacedByItself -------------------------
(* A configuration that replaces an operator by one whose body leads back  *)
(* to it, through an operator that is passed as an argument: it applies    *)
(* itself without end.                                                     *)
EXTENDS Naturals
VARIABLE x
Step(n) == n + 1
Twice(n, F(_)) == F(F(n))
Steps(n) == Twice(n, Step)
Init == x = 0
Next == x' = Step(x)
============================================================================
