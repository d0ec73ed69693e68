--------------------------------- MODULE Ccf ---------------------------------
(* CCF's consensus as its authors describe it: a Raft in which entries are   *)
(* committed by signatures, whose messages are no answers to each other, and *)
(* whose nodes come and go. `Bugs` bring back what was wrong with it, one by *)
(* one.                                                                      *)
(*                                                                           *)
(* Each action is one step of one node. README.md has more.                  *)
EXTENDS Naturals, Sequences, FiniteSets, TLC

CONSTANTS
    Node,
    Nobody,
    InitialNodes,   \* who is there from the beginning
    Changes,        \* the configurations that may come, one after the other
    Network,        \* "ordered": what is sent between two nodes arrives in order; "reordered": in any
    Bugs,           \* which mistakes are made, see below
    MaxTerm, MaxRequests, MaxSignatures, MaxLosses, MaxCopies, MaxStepDowns, MaxUnderWay, MaxSame

(* "tally":    votes are counted in the union of all configurations, and not in each          *)
(* "previous": a leader commits what is of an earlier term                                    *)
(* "emptied":  a new leader forgets which of its entries are signatures, so that none of      *)
(*             an earlier term is committed: the first repair of "previous"                   *)
(* "nack":     a refusal sets the match index too                                             *)
(* "early":    who hears of a new term cuts its log where the first entries begin             *)
(* "ack":      an acknowledgement has the end of the log, and not of what came                *)
(* "retire":   a node is gone when its removal is committed, and others may not know it yet   *)
AllBugs == {"tally", "previous", "emptied", "nack", "early", "ack", "retire"}
\* For configurations.
NoChanges == <<>>
Replace == <<Node \ InitialNodes>>
Grow == <<Node>>
Shrink == LET first == CHOOSE i \in InitialNodes : TRUE IN <<InitialNodes \ {first}>>
ASSUME Bugs \subseteq AllBugs /\ Network \in {"ordered", "reordered"}

VARIABLES
    term, votedFor, role,
    log,           \* a sequence of entries [term, kind, nodes]; "entry", "signature", "config" or "retired"
    commit,
    committable,   \* signatures that are not committed yet
    isNew,         \* who follows a leader of a new term from which nothing came yet
    votes, sent, match,
    net,           \* what is under way
    spent          \* how much of each budget

nodeVars == <<term, votedFor, role, log, commit, committable, isNew, votes, sent, match>>
vars == <<nodeVars, net, spent>>

Tcp == INSTANCE TcpNetwork
Udp == INSTANCE UdpNetwork

-----------------------------------------------------------------------------
(* The network: whichever of the two it is.                                  *)

IsOrdered == Network = "ordered"
Nothing == IF IsOrdered THEN Tcp!Connections ELSE Udp!Silence
Send(n, i, j, m) == IF IsOrdered THEN Tcp!Send(n, i, j, m) ELSE Udp!Send(n, i, j, m)
Take(n, i, j, m) == IF IsOrdered THEN Tcp!Take(n, i, j) ELSE Udp!Take(n, Udp!Datagram(i, j, m))
Waiting(n, i, j) ==
    IF IsOrdered THEN IF i # j /\ Tcp!IsWaiting(n, i, j) THEN {Tcp!First(n, i, j)} ELSE {}
    ELSE Udp!Waiting(n, i, j)
UnderWay(n) == IF IsOrdered THEN Tcp!UnderWay(n) ELSE Udp!UnderWay(n)
\* How often the same message is under way; for constraints.
IsSameOften(n) == ~IsOrdered /\ \E d \in DOMAIN n : n[d] > MaxSame

RECURSIVE SendTo(_, _, _, _)
SendTo(n, i, to, m) ==
    IF to = {} THEN n ELSE LET j == CHOOSE j \in to : TRUE IN SendTo(Send(n, i, j, m), i, to \ {j}, m)

-----------------------------------------------------------------------------
Min(a, b) == IF a < b THEN a ELSE b
Max(s) == CHOOSE x \in s : \A y \in s : y <= x
MaxOr0(s) == Max(s \cup {0})
Zeros == [j \in Node |-> 0]

Entry(t, k, ns) == [term |-> t, kind |-> k, nodes |-> ns]
TermAt(l, n) == IF n = 0 \/ n > Len(l) THEN 0 ELSE l[n].term
Prefix(l, n) == SubSeq(l, 1, n)
Signatures(l) == {n \in DOMAIN l : l[n].kind = "signature"}
ConfigsIn(l) == {n \in DOMAIN l : l[n].kind = "config"}

\* The configurations that count where l is known and c is committed: the last one that is committed, and all after it.
Active(l, c) ==
    LET last == MaxOr0({n \in ConfigsIn(l) : n <= c})
    IN  {n \in ConfigsIn(l) : n >= last}
ActiveOf(i) == Active(log[i], commit[i])
NodesOf(l, ns) == UNION {l[n].nodes : n \in ns}
IsMajority(s, of) == 2 * Cardinality(s \cap of) > Cardinality(of)

\* Who was in a configuration before, and is not in the last of those that are committed.
Removed(l, c) ==
    LET known == {n \in ConfigsIn(l) : n <= c}
    IN  NodesOf(l, known) \ NodesOf(l, {n \in known : n = MaxOr0(known)})
Retired(l, c) == UNION {l[n].nodes : n \in {n \in DOMAIN l : n <= c /\ l[n].kind = "retired"}}

\* A node that is gone does nothing any more.
IsGone(i) == i \in (IF "retire" \in Bugs THEN Removed(log[i], commit[i]) ELSE Retired(log[i], commit[i]))
\* Who has joined stands for election, until it is gone; also who is removed, as long as others may not know it.
HasJoined(i) == log[i] # <<>>
Peers(i) == NodesOf(log[i], ActiveOf(i)) \ {i}
\* Who is removed hears of it as long as nobody knows that all know it.
Hearers(i) == (Peers(i) \cup (Removed(log[i], commit[i]) \ Retired(log[i], commit[i]))) \ {i}

\* The last entry that can be committed: logs are compared by these.
LastCommittable(i) == MaxOr0(committable[i] \cup {commit[i]})

-----------------------------------------------------------------------------
\* The first configuration is signed and committed, and somebody leads.
FirstLog == <<Entry(1, "config", InitialNodes), Entry(1, "signature", {})>>

Init ==
    \E leader \in InitialNodes :
        /\ term = [i \in Node |-> IF i \in InitialNodes THEN 1 ELSE 0]
        /\ votedFor = [i \in Node |-> IF i \in InitialNodes THEN leader ELSE Nobody]
        /\ role = [i \in Node |-> IF i = leader THEN "leader" ELSE "follower"]
        /\ log = [i \in Node |-> IF i \in InitialNodes THEN FirstLog ELSE <<>>]
        /\ commit = [i \in Node |-> IF i \in InitialNodes THEN 2 ELSE 0]
        /\ committable = [i \in Node |-> {}]
        /\ isNew = [i \in Node |-> FALSE]
        /\ votes = [i \in Node |-> {}]
        /\ sent = [i \in Node |-> IF i = leader THEN [j \in Node |-> IF j \in InitialNodes \ {i} THEN 2 ELSE 0] ELSE Zeros]
        /\ match = [i \in Node |-> Zeros]
        /\ net = Nothing
        /\ spent = [requests |-> 0, signatures |-> 0, changes |-> 0, losses |-> 0, copies |-> 0, stepDowns |-> 0]

Spend(what, most) == spent[what] < most /\ spent' = [spent EXCEPT ![what] = @ + 1]

Forget(i) ==
    /\ votes' = [votes EXCEPT ![i] = {}]
    /\ sent' = [sent EXCEPT ![i] = Zeros]
    /\ match' = [match EXCEPT ![i] = Zeros]

-----------------------------------------------------------------------------
(* Elections.                                                                *)

Timeout(i) ==
    /\ ~IsGone(i) /\ role[i] # "leader" /\ term[i] < MaxTerm
    /\ HasJoined(i)
    /\ term' = [term EXCEPT ![i] = @ + 1]
    /\ votedFor' = [votedFor EXCEPT ![i] = i]
    /\ role' = [role EXCEPT ![i] = "candidate"]
    /\ votes' = [votes EXCEPT ![i] = {i}]
    /\ net' = SendTo(net, i, Peers(i), [type |-> "vote", term |-> term[i] + 1, last |-> LastCommittable(i),
                                        lastTerm |-> TermAt(log[i], LastCommittable(i))])
    /\ UNCHANGED <<log, commit, committable, isNew, sent, match, spent>>

\* Whatever comes with a newer term makes a follower.
Adopt(i, m) ==
    LET isNewer == m.term > term[i]
    IN  /\ term' = IF isNewer THEN [term EXCEPT ![i] = m.term] ELSE term
        /\ role' = IF isNewer THEN [role EXCEPT ![i] = "follower"] ELSE role
        /\ isNew' = IF isNewer THEN [isNew EXCEPT ![i] = TRUE] ELSE isNew
        /\ IF isNewer THEN Forget(i) ELSE UNCHANGED <<votes, sent, match>>

HandleVote(i, j, m, rest) ==
    LET own == LastCommittable(i)
        isUpToDate == \/ m.lastTerm > TermAt(log[i], own)
                      \/ m.lastTerm = TermAt(log[i], own) /\ m.last >= own
        isFree == m.term > term[i] \/ (m.term = term[i] /\ votedFor[i] \in {Nobody, j})
        isGranted == isFree /\ isUpToDate
        newTerm == IF m.term > term[i] THEN m.term ELSE term[i]
    IN  /\ Adopt(i, m)
        /\ votedFor' = IF isGranted THEN [votedFor EXCEPT ![i] = j]
                       ELSE IF m.term > term[i] THEN [votedFor EXCEPT ![i] = Nobody] ELSE votedFor
        /\ net' = Send(rest, i, j, [type |-> "voted", term |-> newTerm, granted |-> isGranted])
        /\ UNCHANGED <<log, commit, committable>>

HandleVoted(i, j, m, rest) ==
    LET counts == m.term = term[i] /\ role[i] = "candidate" /\ m.granted
    IN  /\ term' = IF m.term > term[i] THEN [term EXCEPT ![i] = m.term] ELSE term
        /\ votedFor' = IF m.term > term[i] THEN [votedFor EXCEPT ![i] = Nobody] ELSE votedFor
        /\ role' = IF m.term > term[i] THEN [role EXCEPT ![i] = "follower"] ELSE role
        /\ isNew' = IF m.term > term[i] THEN [isNew EXCEPT ![i] = TRUE] ELSE isNew
        /\ IF m.term > term[i] THEN Forget(i)
           ELSE /\ votes' = IF counts THEN [votes EXCEPT ![i] = @ \cup {j}] ELSE votes
                /\ UNCHANGED <<sent, match>>
        /\ net' = rest
        /\ UNCHANGED <<log, commit, committable>>

\* Entries after the last signature are dropped: nothing of them can be committed.
BecomeLeader(i) ==
    LET all == NodesOf(log[i], ActiveOf(i))
        isWon == IF "tally" \in Bugs THEN IsMajority(votes[i], all)
                 ELSE \A n \in ActiveOf(i) : IsMajority(votes[i], log[i][n].nodes)
        end == LastCommittable(i)
    IN  /\ ~IsGone(i) /\ role[i] = "candidate" /\ isWon
        /\ role' = [role EXCEPT ![i] = "leader"]
        /\ log' = [log EXCEPT ![i] = Prefix(@, end)]
        /\ committable' = IF "emptied" \in Bugs THEN [committable EXCEPT ![i] = {}] ELSE committable
        /\ votes' = [votes EXCEPT ![i] = {}]
        /\ sent' = [sent EXCEPT ![i] = [j \in Node |-> IF j = i THEN 0 ELSE end]]
        /\ match' = [match EXCEPT ![i] = Zeros]
        /\ UNCHANGED <<term, votedFor, commit, isNew, net, spent>>

\* A leader that hears no majority for long steps down; how long that is nobody knows here.
CheckQuorum(i) ==
    /\ Spend("stepDowns", MaxStepDowns)
    /\ ~IsGone(i) /\ role[i] = "leader"
    /\ role' = [role EXCEPT ![i] = "follower"]
    /\ Forget(i)
    /\ UNCHANGED <<term, votedFor, log, commit, committable, isNew, net>>

-----------------------------------------------------------------------------
(* What a leader does.                                                       *)

Extend(i, e) == log' = [log EXCEPT ![i] = Append(@, e)]
Leads(i) == ~IsGone(i) /\ role[i] = "leader"

ClientRequest(i) ==
    /\ Spend("requests", MaxRequests)
    /\ Leads(i)
    /\ Extend(i, Entry(term[i], "entry", {}))
    /\ UNCHANGED <<term, votedFor, role, commit, committable, isNew, votes, sent, match, net>>

\* There is something to sign.
Sign(i) ==
    /\ Spend("signatures", MaxSignatures)
    /\ Leads(i) /\ log[i][Len(log[i])].kind # "signature"
    /\ Extend(i, Entry(term[i], "signature", {}))
    /\ committable' = [committable EXCEPT ![i] = @ \cup {Len(log[i]) + 1}]
    /\ UNCHANGED <<term, votedFor, role, commit, isNew, votes, sent, match, net>>

ChangeConfiguration(i) ==
    /\ Leads(i) /\ spent.changes < Len(Changes)
    /\ spent' = [spent EXCEPT !.changes = @ + 1]
    /\ Extend(i, Entry(term[i], "config", Changes[spent.changes + 1]))
    /\ sent' = [sent EXCEPT ![i] = [j \in Node |-> IF j \in Hearers(i) THEN @[j] ELSE 0]]
    /\ UNCHANGED <<term, votedFor, role, commit, committable, isNew, votes, match, net>>

\* Removals that are committed are recorded: with that entry committed nobody needs the removed nodes any more.
AppendRetired(i) ==
    LET told == UNION {log[i][n].nodes : n \in {n \in DOMAIN log[i] : log[i][n].kind = "retired"}}
        leaving == Removed(log[i], commit[i]) \ told
    IN  /\ Leads(i) /\ leaving # {}
        /\ Extend(i, Entry(term[i], "retired", leaving))
        /\ UNCHANGED <<term, votedFor, role, commit, committable, isNew, votes, sent, match, net, spent>>

\* A message has all that is new, one entry, or none.
AppendEntries(i, j) ==
    /\ Leads(i) /\ j \in Hearers(i)
    /\ \E end \in {sent[i][j], Min(sent[i][j] + 1, Len(log[i])), Len(log[i])} :
        LET prev == sent[i][j]
            m == [type |-> "append", term |-> term[i], prev |-> prev, prevTerm |-> TermAt(log[i], prev),
                  entries |-> SubSeq(log[i], prev + 1, end), commit |-> commit[i]]
        IN  /\ net' = Send(net, i, j, m)
            /\ sent' = [sent EXCEPT ![i][j] = end]
    /\ UNCHANGED <<term, votedFor, role, log, commit, committable, isNew, votes, match, spent>>

\* Signatures that a majority of each configuration has, as far as it is in the log by then.
AdvanceCommit(i) ==
    LET has(n) == {i} \cup {j \in Node : match[i][j] >= n}
        isCounted(n) == \A c \in {c \in ActiveOf(i) : c <= n} : IsMajority(has(n), log[i][c].nodes)
        isOwn(n) == "previous" \in Bugs \/ "emptied" \in Bugs \/ log[i][n].term = term[i]
        safe == {n \in committable[i] : n > commit[i] /\ isOwn(n) /\ isCounted(n)}
    IN  /\ Leads(i) /\ safe # {}
        /\ commit' = [commit EXCEPT ![i] = Max(safe)]
        /\ committable' = [committable EXCEPT ![i] = {n \in @ : n > Max(safe)}]
        /\ UNCHANGED <<term, votedFor, role, log, isNew, votes, sent, match, net, spent>>

-----------------------------------------------------------------------------
(* What comes.                                                               *)

\* The length up to which the log agrees with what came after the entry m.prev.
Agreed(l, m) ==
    LET same == {n \in DOMAIN m.entries : TermAt(l, m.prev + n) = m.entries[n].term /\ m.prev + n <= Len(l)}
    IN  m.prev + MaxOr0({n \in same : \A k \in 1..n : k \in same})

\* A guess for where the logs agree, so that one answer passes over a whole term.
Estimate(l, m) == MaxOr0({n \in DOMAIN l : n <= m.prev /\ l[n].term <= m.prevTerm})

HandleAppend(i, j, m, rest) ==
    LET isStale == m.term < term[i]
        isNewer == m.term > term[i]
        isOk == ~isStale /\ (m.prev = 0 \/ (m.prev <= Len(log[i]) /\ TermAt(log[i], m.prev) = m.prevTerm))
        agreed == Agreed(log[i], m)
        isBehind == agreed < m.prev + Len(m.entries)
        isCut == isNewer \/ isNew[i]
        kept == IF "early" \in Bugs /\ isCut THEN Prefix(log[i], m.prev)
                ELSE IF isBehind THEN Prefix(log[i], agreed) ELSE log[i]
        newLog == IF Len(kept) < m.prev + Len(m.entries)
                  THEN kept \o SubSeq(m.entries, Len(kept) - m.prev + 1, Len(m.entries)) ELSE kept
        end == IF "ack" \in Bugs THEN Len(newLog) ELSE m.prev + Len(m.entries)
        newCommit == Max({commit[i]} \cup {n \in Signatures(newLog) : n <= Min(m.commit, m.prev + Len(m.entries))})
        \* Whoever forgot signatures learns of them only where entries are new.
        signed == IF "emptied" \in Bugs
                  THEN {n \in committable[i] : n <= Len(kept)} \cup {n \in Signatures(newLog) : n > Len(kept)}
                  ELSE Signatures(newLog)
        reply(isTaken, last) == [type |-> "appended", term |-> IF isNewer THEN m.term ELSE term[i], ok |-> isTaken, last |-> last]
    IN  /\ term' = IF isNewer THEN [term EXCEPT ![i] = m.term] ELSE term
        /\ votedFor' = IF isNewer THEN [votedFor EXCEPT ![i] = Nobody] ELSE votedFor
        /\ role' = IF isStale THEN role ELSE [role EXCEPT ![i] = "follower"]
        /\ isNew' = IF isOk THEN [isNew EXCEPT ![i] = FALSE] ELSE IF isNewer THEN [isNew EXCEPT ![i] = TRUE] ELSE isNew
        /\ IF isStale THEN UNCHANGED <<votes, sent, match>> ELSE Forget(i)
        /\ IF isOk
           THEN /\ log' = [log EXCEPT ![i] = newLog]
                /\ commit' = [commit EXCEPT ![i] = newCommit]
                /\ committable' = [committable EXCEPT ![i] = {n \in signed : n > newCommit}]
                /\ net' = Send(rest, i, j, reply(TRUE, end))
           ELSE /\ net' = Send(rest, i, j, reply(FALSE, IF isStale THEN Len(log[i]) ELSE Estimate(log[i], m)))
                /\ UNCHANGED <<log, commit, committable>>

\* Who leads a term does not hear of entries of that term from another.
IsForFollower(i, m) == m.type # "append" \/ m.term # term[i] \/ role[i] # "leader"

\* A refusal has a guess, whichever term it is of.
HandleAppended(i, j, m, rest) ==
    LET isTaken == role[i] = "leader" /\ (m.term = term[i] \/ (m.term < term[i] /\ ~m.ok))
        last == Min(m.last, Len(log[i]))
        newMatch == IF m.ok THEN Max({match[i][j], last}) ELSE IF "nack" \in Bugs THEN last ELSE match[i][j]
        newSent == IF m.ok THEN Max({sent[i][j], last}) ELSE Max({Min(last, sent[i][j]), newMatch})
        isNewer == m.term > term[i]
    IN  /\ term' = IF isNewer THEN [term EXCEPT ![i] = m.term] ELSE term
        /\ votedFor' = IF isNewer THEN [votedFor EXCEPT ![i] = Nobody] ELSE votedFor
        /\ role' = IF isNewer THEN [role EXCEPT ![i] = "follower"] ELSE role
        /\ isNew' = IF isNewer THEN [isNew EXCEPT ![i] = TRUE] ELSE isNew
        /\ IF isNewer THEN Forget(i)
           ELSE /\ match' = IF isTaken THEN [match EXCEPT ![i][j] = newMatch] ELSE match
                /\ sent' = IF isTaken THEN [sent EXCEPT ![i][j] = newSent] ELSE sent
                /\ UNCHANGED votes
        /\ net' = rest
        /\ UNCHANGED <<log, commit, committable>>

\* Without order a message may also come again.
Receive(i, j) == \E m \in Waiting(net, j, i), stays \in (IF IsOrdered THEN {FALSE} ELSE BOOLEAN) :
    /\ ~IsGone(i) /\ IsForFollower(i, m)
    /\ IF stays THEN Spend("copies", MaxCopies) ELSE UNCHANGED spent
    /\ LET rest == IF stays THEN net ELSE Take(net, j, i, m)
       IN  CASE m.type = "vote" -> HandleVote(i, j, m, rest)
             [] m.type = "voted" -> HandleVoted(i, j, m, rest)
             [] m.type = "append" -> HandleAppend(i, j, m, rest)
             [] m.type = "appended" -> HandleAppended(i, j, m, rest)

\* What comes to a node that is gone is lost at once, and costs nothing.
Lose(i, j) == \E m \in Waiting(net, j, i) :
    /\ IF IsGone(i) THEN UNCHANGED spent ELSE Spend("losses", MaxLosses)
    /\ net' = Take(net, j, i, m)
    /\ UNCHANGED nodeVars

Next ==
    \/ \E i \in Node : \/ Timeout(i) \/ BecomeLeader(i) \/ CheckQuorum(i) \/ ClientRequest(i) \/ Sign(i)
                       \/ ChangeConfiguration(i) \/ AppendRetired(i) \/ AdvanceCommit(i)
    \/ \E i, j \in Node : AppendEntries(i, j) \/ Receive(i, j) \/ Lose(i, j)

Spec == Init /\ [][Next]_vars

FewUnderWay == UnderWay(net) <= MaxUnderWay /\ ~IsSameOften(net)

-----------------------------------------------------------------------------
(* What must hold. README.md says which bug breaks which.                    *)

Committed(i) == Prefix(log[i], commit[i])
IsPrefix(s, t) == Len(s) <= Len(t) /\ s = Prefix(t, Len(s))

ElectionSafety ==
    \A i, j \in Node : role[i] = "leader" /\ role[j] = "leader" /\ term[i] = term[j] => i = j

\* State machine safety, in space; `CommittedAppendOnly` has it in time.
LogInv == \A i, j \in Node : IsPrefix(Committed(i), Committed(j)) \/ IsPrefix(Committed(j), Committed(i))

LogMatching ==
    \A i, j \in Node : \A n \in 1..Min(Len(log[i]), Len(log[j])) :
        log[i][n].term = log[j][n].term => Prefix(log[i], n) = Prefix(log[j], n)

\* A term begins after a signature of an earlier one.
MonoLog ==
    \A i \in Node : \A n \in 1..(Len(log[i]) - 1) :
        \/ log[i][n].term = log[i][n + 1].term
        \/ log[i][n].term < log[i][n + 1].term /\ log[i][n].kind = "signature"

CommitIsSigned == \A i \in Node : commit[i] > 0 => commit[i] <= Len(log[i]) /\ log[i][commit[i]].kind = "signature"
CommittableIsSigned == \A i \in Node : committable[i] \subseteq {n \in Signatures(log[i]) : n > commit[i]}

\* What is committed is in the logs of a majority of each configuration that counts.
QuorumLog ==
    \A i \in Node : \A c \in ActiveOf(i) : c <= commit[i] =>
        IsMajority({j \in Node : IsPrefix(Committed(i), log[j])}, log[i][c].nodes)

LeaderCompleteness ==
    \A i, j \in Node : role[i] = "leader" /\ term[j] <= term[i] => IsPrefix(Committed(j), log[i])

\* What a leader believes a node to have, it has, unless that has heard of a newer term since.
MatchIsTrue ==
    \A i, j \in Node : role[i] = "leader" /\ term[j] = term[i] /\ match[i][j] > 0 =>
        IsPrefix(Prefix(log[i], match[i][j]), log[j])

\* Somebody could win an election, if everybody who is not gone heard of it.
CanLead(i) ==
    /\ ~IsGone(i) /\ HasJoined(i)
    /\ LET own == LastCommittable(i)
           agrees(j) == \/ TermAt(log[i], own) > TermAt(log[j], LastCommittable(j))
                        \/ TermAt(log[i], own) = TermAt(log[j], LastCommittable(j)) /\ own >= LastCommittable(j)
       IN  \A n \in ActiveOf(i) : IsMajority({j \in Node : ~IsGone(j) /\ agrees(j)}, log[i][n].nodes)
SomebodyCanLead == \E i \in Node : CanLead(i)

MonotonicTerm == [][\A i \in Node : term[i] <= term'[i]]_vars
MonotonicMatch ==
    [][\A i, j \in Node : role[i] = "leader" /\ role'[i] = "leader" /\ term[i] = term'[i] => match[i][j] <= match'[i][j]]_vars
VotesOnce == [][\A i \in Node : term'[i] = term[i] /\ votedFor[i] # Nobody => votedFor'[i] = votedFor[i]]_vars
CommittedAppendOnly == [][\A i \in Node : IsPrefix(Committed(i), Committed(i)')]_vars
NeverCommitsPrevious ==
    [][\A i \in Node : role[i] = "leader" /\ role'[i] = "leader" /\ commit'[i] > commit[i] => log'[i][commit'[i]].term = term[i]]_vars

\* Logs that only grow, and agree: what all of this is for.
Abstract == INSTANCE CommittedLogs WITH logs <- [i \in Node |-> Committed(i)]
Refines == Abstract!Spec
=============================================================================
