--------------------------- MODULE PossibleCounts ---------------------------
(* Where _POSSIBLE is asked for, TLC counts in a register how often each       *)
(* formula is TRUE: once for each state or step that is generated, whether it  *)
(* is new or not. A postcondition can read the counts.                         *)
EXTENDS Naturals, TLC

VARIABLE x

Init == x \in {0, 1}
Next == \/ x' = (x + 1) % 3
        \/ x' = 0
IsZero == x = 0
IsHigh == x > 7 \/ x = 2
Falls == x' < x
Counted ==
  LET p == TLCGet("all:named")["s:_possible"][1]
  IN  /\ p["IsZero"] = 5
      /\ p["IsHigh"] = 1
      /\ p["Falls"] = 3
=============================================================================
