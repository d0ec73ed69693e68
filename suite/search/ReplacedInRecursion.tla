------------------------ MODULE ReplacedInRecursion ------------------------
(* The configuration puts an operator that asks about the run in the place   *)
(* of one that is called from a recursive one: nothing of it may be kept     *)
(* from one state for another.                                               *)
EXTENDS Naturals, TLC

VARIABLES x, y

Level == 0
ByRun == TLCGet("level")

RECURSIVE Deep(_)
Deep(n) == IF n = 0 THEN Level ELSE Deep(n - 1)

Init == x = 0 /\ y = 0
Next == x' = Deep(y) /\ y' = (y + 1) % 3
Low == x < 9
=============================================================================
