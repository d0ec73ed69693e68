---------------------------- MODULE ZabInvariants ----------------------------
(* The ten properties of the protocol: I-1 to I-10 of REMIX, table 2.          *)
EXTENDS Zab

Delivered(i) == SubSeq(history[i], 1, committed[i])
Elements(s) == {s[n] : n \in 1..Len(s)}
IsBefore(s, a, b) == \E m, n \in 1..Len(s) : m < n /\ s[m] = a /\ s[n] = b
IsEstablished(e) == epochs[e].leaders # {}

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
            \A i \in Server :
                \A zxid \in Elements(Delivered(i)) : EpochOf(zxid) < e => zxid \in Elements(epochs[e].initial)

\* I-8: what an epoch began with, and what was committed, is in the history that every later epoch begins with.
NewestEpoch == Max({0} \cup {e \in 1..MaxEpoch : IsEstablished(e)})
InitialHistoryIntegrity ==
    /\ \A d, e \in 1..MaxEpoch :
           d < e /\ IsEstablished(d) /\ IsEstablished(e) => IsPrefix(epochs[d].initial, epochs[e].initial)
    /\ \A l \in Server :
           role[l] = "leading" /\ phase[l] = "broadcast" /\ acceptedEpoch[l] = NewestEpoch
               => IsPrefix(committedLog, Delivered(l))

\* I-9: a server that delivers in an epoch has delivered what the epoch began with.
CommitConsistency ==
    \A i \in Server :
        phase[i] = "broadcast" /\ IsEstablished(currentEpoch[i])
            => IsPrefix(epochs[currentEpoch[i]].initial, Delivered(i))

\* I-10: of two servers in one epoch the history of one is the beginning of the other's.
HistoryConsistency ==
    \A i, j \in Server :
        i < j /\ phase[i] = "broadcast" /\ phase[j] = "broadcast" /\ currentEpoch[i] = currentEpoch[j]
            => IsPrefix(history[i], history[j]) \/ IsPrefix(history[j], history[i])
=============================================================================
