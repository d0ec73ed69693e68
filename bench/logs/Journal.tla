------------------------------ MODULE Journal ------------------------------
(* A journal that only grows, and a copy that follows it: the state is as    *)
(* long as the log that is followed.                                         *)
EXTENDS Naturals, Sequences

VARIABLES journal, copy

Init == journal = <<>> /\ copy = <<>>

Write(entry) == journal' = Append(journal, entry) /\ UNCHANGED copy

\* The copy takes what comes after its first n entries.
Follow(n) ==
    /\ n <= Len(copy)
    /\ copy' = SubSeq(copy, 1, n) \o SubSeq(journal, n + 1, Len(journal))
    /\ UNCHANGED journal

Next == (\E entry \in [account : STRING, amount : Nat] : Write(entry)) \/ (\E n \in Nat : Follow(n))

Spec == Init /\ [][Next]_<<journal, copy>>
=============================================================================
