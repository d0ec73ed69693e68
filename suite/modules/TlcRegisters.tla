---------------------------- MODULE TlcRegisters ----------------------------
(* TLCSet and TLCGet with numbers: what a register holds when it is set by   *)
(* an assumption, while initial states are made and in steps (one worker).   *)
(* The postcondition sees the last values.                                   *)
EXTENDS Naturals, Sequences, TLC

VARIABLE n

ASSUME TLCSet(1, 0)
ASSUME TLCSet(2, <<>>)
ASSUME TLCGet(1) = 0

Init == n = 0 /\ TLCSet(1, 100)
\* Counted for every step that is tried.
Next ==
    /\ TLCSet(1, TLCGet(1) + 1)
    /\ n' \in {(n + 1) % 4, 0}
    /\ TLCSet(2, Append(TLCGet(2), n'))
Small == n < 4

AtEnd ==
    /\ PrintT(<<"register 1", TLCGet(1)>>)
    /\ PrintT(<<"register 2", TLCGet(2)>>)
    /\ TLCGet(1) = 104
    /\ Len(TLCGet(2)) = 7
=============================================================================
