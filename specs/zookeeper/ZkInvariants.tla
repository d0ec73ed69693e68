---------------------------- MODULE ZkInvariants ----------------------------
(* What must hold of every composition. I-1 to I-10 are properties of Zab,     *)
(* I-11 to I-14 are errors that the code itself reports; the numbers are those *)
(* of REMIX, table 2. A transaction is delivered where a server that serves    *)
(* clients has it in its database.                                             *)
EXTENDS Zk

Delivered(i) == IF IsServing(i) THEN database[i] ELSE <<>>
Has(s, zxid) == \E n \in 1..Len(s) : s[n] = zxid
\* Whether a comes before b in s.
IsBefore(s, a, b) == \E m, n \in 1..Len(s) : m < n /\ s[m] = a /\ s[n] = b
Elements(s) == {s[n] : n \in 1..Len(s)}

\* I-1: no epoch is established by two leaders.
PrimaryUniqueness == \A e \in 1..MaxEpoch : Cardinality(epochs[e].leaders) <= 1

\* I-2: what is delivered was proposed.
Integrity ==
    \A i \in Server : \A zxid \in Elements(Delivered(i)) : CounterOf(zxid) <= epochs[EpochOf(zxid)].proposed

\* I-3: of two transactions that two servers deliver, one is delivered by both.
Agreement ==
    \A i, j \in Server :
        i < j => LET a == Elements(Delivered(i))
                     b == Elements(Delivered(j))
                 IN  a \subseteq b \/ b \subseteq a

\* I-4: servers deliver what they deliver in the same order, and leave nothing out.
TotalOrder ==
    \A i, j \in Server :
        LET a == Delivered(i)
            b == Delivered(j)
        IN  \A m \in 1..Len(a), n \in 1..Len(b) : a[m] = b[n] => SubSeq(a, 1, m) = SubSeq(b, 1, n)

\* I-5: of the transactions of one epoch the earlier are delivered before the later.
LocalPrimaryOrder ==
    \A i \in Server :
        LET d == Delivered(i)
        IN  \A n \in 1..Len(d) :
                \A c \in 1..(CounterOf(d[n]) - 1) : IsBefore(d, MakeZxid(EpochOf(d[n]), c), d[n])

\* I-6: transactions of an earlier epoch are delivered before those of a later.
GlobalPrimaryOrder ==
    \A i \in Server :
        LET d == Delivered(i)
        IN  \A m, n \in 1..Len(d) : m < n => EpochOf(d[m]) <= EpochOf(d[n])

\* I-7: before a leader proposes anything it has delivered all that is delivered of earlier epochs.
PrimaryIntegrity ==
    \A e \in 1..MaxEpoch :
        epochs[e].proposed > 0 =>
            \A i \in Server : \A zxid \in Elements(Delivered(i)) : EpochOf(zxid) < e => Has(epochs[e].initial, zxid)

\* I-8: what an epoch began with, and what was committed, is in the history that every later epoch begins with.
NewestEpoch == Max({0} \cup {e \in 1..MaxEpoch : epochs[e].leaders # {}})
InitialHistoryIntegrity ==
    /\ \A d, e \in 1..MaxEpoch :
           d < e /\ epochs[d].leaders # {} /\ epochs[e].leaders # {} => IsPrefix(epochs[d].initial, epochs[e].initial)
    /\ \A l \in Server :
           IsServingLeader(l) /\ acceptedEpoch[l] = NewestEpoch => IsPrefix(committedLog, database[l])

\* I-9: what a follower delivers, the leader of its epoch has delivered.
CommitConsistency ==
    \A f \in Server :
        IsServing(f) /\ IsFollowing(f) /\ IsServingLeader(leaderOf[f])
            => IsPrefix(database[f], database[leaderOf[f]])

\* I-10: what a follower has logged, the leader of its epoch has logged.
HistoryConsistency ==
    \A f \in Server :
        IsServing(f) /\ IsFollowing(f) /\ IsServingLeader(leaderOf[f])
            => IsPrefix(history[f], history[leaderOf[f]])

\* I-11 to I-14: the code complains about a state, an acknowledgement, a proposal, a commit.
NoBadState == "I-11" \notin alarms
NoBadAck == "I-12" \notin alarms
NoBadProposal == "I-13" \notin alarms
NoBadCommit == "I-14" \notin alarms

-----------------------------------------------------------------------------
(* The older set.                                                              *)

\* A leader that has been elected has logged all that is committed.
LeaderLogCompleteness ==
    \A l \in Server :
        state[l] = "LEADING" /\ zabState[l] \in {"SYNCHRONIZATION", "BROADCAST"} /\ currentEpoch[l] >= NewestEpoch
            => IsPrefix(committedLog, history[l])

\* The log of a server that serves begins with what it serves, or will hold no more than that once its queue is written.
ProcessConsistency ==
    \A i \in Server :
        IsServing(i) =>
            /\ IsPrefix(database[i], history[i]) \/ IsPrefix(history[i], database[i])
            /\ IsFollowing(i) /\ IsServingLeader(leaderOf[i]) => IsPrefix(history[i], history[leaderOf[i]])

\* What a client has read from a leader, it can read from every later one.
MonotonicRead ==
    \A l \in Server : IsServingLeader(l) /\ acceptedEpoch[l] = NewestEpoch => IsPrefix(committedLog, database[l])
=============================================================================
