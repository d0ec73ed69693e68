------------------------------ MODULE LampParts -----------------------------
(* One lamp among several.                                                   *)
EXTENDS Naturals

CONSTANT who
VARIABLES lit, time

name == who
Same(n) == n = who
Lit == who \in lit
Switch ==
    /\ time < 3
    /\ time' = time + 1
    /\ lit' = IF Lit THEN lit \ {who} ELSE lit \cup {who}
Fine == Lit => time > 0
=============================================================================
