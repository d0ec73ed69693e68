------------------------------ MODULE ViewHides -----------------------------
(* A VIEW decides which states are the same: here the clock is not looked    *)
(* at, so the first state found for each position is the one that counts.    *)
EXTENDS Naturals

VARIABLES pos, clock

Where == pos
Init == pos = 0 /\ clock \in {0, 100}
Next ==
    \/ pos' = (pos + 1) % 4 /\ clock' = clock + 1
    \/ pos' = (pos + 2) % 4 /\ clock' = clock + 1
Young == clock <= 3
=============================================================================
