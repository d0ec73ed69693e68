--------------------------- MODULE TwoPhaseCommit ---------------------------
(* Two-phase commit with presumed abort. A resource manager votes by a       *)
(* message that is in flight until the coordinator takes it; the coordinator *)
(* commits when it has every vote, may abort before, and forgets the votes   *)
(* with its decision. The explorer beside this folder packs a state into one *)
(* word.                                                                     *)
EXTENDS FiniteSets

CONSTANT RM

VARIABLES
    rm,       \* rm[r]: "working", "prepared", "committed" or "aborted"
    tm,       \* the coordinator: "waiting", "committed" or "aborted"
    votes,    \* whose votes the coordinator has
    msgs      \* what is in flight: votes, and the decision, which stays

vars == <<rm, tm, votes, msgs>>

Vote(r) == [type |-> "vote", from |-> r]
Commit == [type |-> "commit"]
Abort == [type |-> "abort"]

Message == [type : {"vote"}, from : RM] \cup [type : {"commit", "abort"}]

TypeOK ==
    /\ rm \in [RM -> {"working", "prepared", "committed", "aborted"}]
    /\ tm \in {"waiting", "committed", "aborted"}
    /\ votes \subseteq RM
    /\ msgs \subseteq Message

Init ==
    /\ rm = [r \in RM |-> "working"]
    /\ tm = "waiting"
    /\ votes = {}
    /\ msgs = {}

SendVote(r) ==
    /\ rm[r] = "working"
    /\ rm' = [rm EXCEPT ![r] = "prepared"]
    /\ msgs' = msgs \cup {Vote(r)}
    /\ UNCHANGED <<tm, votes>>

Refuse(r) ==
    /\ rm[r] = "working"
    /\ rm' = [rm EXCEPT ![r] = "aborted"]
    /\ UNCHANGED <<tm, votes, msgs>>

TakeVote(r) ==
    /\ tm = "waiting"
    /\ Vote(r) \in msgs
    /\ votes' = votes \cup {r}
    /\ msgs' = msgs \ {Vote(r)}
    /\ UNCHANGED <<rm, tm>>

DecideCommit ==
    /\ tm = "waiting"
    /\ votes = RM
    /\ tm' = "committed"
    /\ votes' = {}
    /\ msgs' = msgs \cup {Commit}
    /\ UNCHANGED rm

DecideAbort ==
    /\ tm = "waiting"
    /\ tm' = "aborted"
    /\ votes' = {}
    /\ msgs' = msgs \cup {Abort}
    /\ UNCHANGED rm

LearnCommit(r) ==
    /\ Commit \in msgs
    /\ rm[r] = "prepared"
    /\ rm' = [rm EXCEPT ![r] = "committed"]
    /\ UNCHANGED <<tm, votes, msgs>>

LearnAbort(r) ==
    /\ Abort \in msgs
    /\ rm[r] \in {"working", "prepared"}
    /\ rm' = [rm EXCEPT ![r] = "aborted"]
    /\ UNCHANGED <<tm, votes, msgs>>

Next ==
    \/ DecideCommit \/ DecideAbort
    \/ \E r \in RM : SendVote(r) \/ Refuse(r) \/ TakeVote(r) \/ LearnCommit(r) \/ LearnAbort(r)

Spec == Init /\ [][Next]_vars

Agreement == \A r, s \in RM : ~(rm[r] = "committed" /\ rm[s] = "aborted")
NoneAlone == \A r \in RM : rm[r] = "committed" => tm = "committed"
=============================================================================
