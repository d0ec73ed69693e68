------------------------------- MODULE RaftOS -------------------------------
(* What RaftOS 0.2.6 does, its last release: a Raft over datagrams with      *)
(* mistakes, and `Repairs` that undo them one by one.                        *)
(*                                                                           *)
(* Each action is one thing that can be done to real processes: a datagram   *)
(* is delivered, once or to come again, or is lost; a clock goes on; a       *)
(* client asks; a process dies. After it the node has handled what came, has *)
(* sent what there is to send, and sleeps. README.md has more.               *)
EXTENDS Naturals, Sequences, FiniteSets, TLC, UdpNetwork

CONSTANTS
    Value,     \* what clients ask for
    Nobody,
    Repairs,   \* which mistakes are repaired, see below
    MaxElections, MaxGiveUps, MaxRequests, MaxHeartbeats, MaxLosses, MaxCopies, MaxCrashes, MaxUnderWay

(* "match":  the match index never goes back                                 *)
(* "erase":  a log is cut where it differs from what came, and not elsewhere *)
(* "id":     the answer to a request of an earlier term has its id           *)
(* "commit": entries of earlier terms are passed over when counting          *)
(* "stale":  answers of earlier terms are not counted                        *)
(* "vote":   a vote is kept for its term, and for no other                   *)
(* "voters": who votes twice is counted once                                 *)
(* "quorum": a majority is one of all nodes                                  *)
(* "next":   the next index stays above the match index                      *)
AllRepairs == {"match", "erase", "id", "commit", "stale", "vote", "voters", "quorum", "next"}
OnlyQuorum == {"quorum"}
ASSUME Repairs \subseteq AllRepairs

VARIABLES
    term,      \* the current term of each node; durable
    votedFor,  \* whom each node voted for; durable, until the node starts again
    log,       \* a sequence of entries [term, value]; durable
    role,      \* "follower", "candidate" or "leader"
    votes,     \* how many votes a candidate has; 0 where there is none
    voters,    \* from whom; {} where there is no candidate
    commit,    \* the last entry of the log that is known to be safe
    next,      \* next[i][j]: what leader i sends to j next; 0 where there is no leader
    match,     \* match[i][j]: how far j agrees with leader i; 0 where there is no leader
    down,      \* the nodes that do not run
    net,       \* UdpNetwork
    spent      \* how much of each budget

roleVars == <<role, votes, voters, next, match>>
nodeVars == <<term, votedFor, log, commit, roleVars>>
vars == <<nodeVars, down, net, spent>>

-----------------------------------------------------------------------------
Entry(t, v) == [term |-> t, value |-> v]
TermAt(l, n) == IF n = 0 THEN 0 ELSE l[n].term
LastTerm(l) == TermAt(l, Len(l))
Min(a, b) == IF a < b THEN a ELSE b
Max(s) == CHOOSE x \in s : \A y \in s : y <= x
Zeros == [j \in Node |-> 0]
Others(i) == Node \ {i}
IsMajority(n) == 2 * n > Cardinality(Node)

\* The program counts its peers without itself and takes half of them: of two nodes one is enough, of four two.
IsQuorum(n) == IF "quorum" \in Repairs THEN IsMajority(n) ELSE n > (Cardinality(Node) - 1) \div 2

HaveMatch(i, ms, n) == 1 + Cardinality({j \in Others(i) : ms[j] >= n})

\* Counting starts after the commit index and ends with the first entry that is not of this term, or that too few have.
Counted(i, l, t, c, ms) ==
    LET isSafe(n) == IsQuorum(HaveMatch(i, ms, n)) /\ l[n].term = t
        isReached(n) == "commit" \in Repairs \/ \A k \in (c + 1)..n : isSafe(k)
    IN  Max({c} \cup {n \in (c + 1)..Len(l) : isSafe(n) /\ isReached(n)})

-----------------------------------------------------------------------------
\* The next entry for a follower, or none. The next index stays where it is until there is an answer.
AppendEntries(l, t, c, n) ==
    [type |-> "append_entries", term |-> t, commit |-> c, prevIndex |-> n - 1, prevTerm |-> TermAt(l, n - 1),
     entries |-> SubSeq(l, n, Min(n, Len(l)))]

\* To a follower whose next entry is further than the leader's log nothing is sent: the program fails there.
SendAppends(n, i, js, l, t, c, ns) ==
    LET to == {j \in js : ns[j] <= Len(l) + 1}
    IN  SendEach(n, i, to, [j \in to |-> AppendEntries(l, t, c, ns[j])])

-----------------------------------------------------------------------------
Init ==
    /\ term = Zeros
    /\ votedFor = [i \in Node |-> Nobody]
    /\ log = [i \in Node |-> <<>>]
    /\ role = [i \in Node |-> "follower"]
    /\ votes = Zeros
    /\ voters = [i \in Node |-> {}]
    /\ commit = Zeros
    /\ next = [i \in Node |-> Zeros]
    /\ match = [i \in Node |-> Zeros]
    /\ down = {}
    /\ net = Silence
    /\ spent = [elections |-> 0, giveUps |-> 0, requests |-> 0, heartbeats |-> 0, losses |-> 0, copies |-> 0, crashes |-> 0]

Spend(what, most) == spent[what] < most /\ spent' = [spent EXCEPT ![what] = @ + 1]

\* The role of i; what candidates and leaders know begins anew with it.
Become(i, newRole) ==
    /\ role' = [role EXCEPT ![i] = newRole]
    /\ votes' = [votes EXCEPT ![i] = IF newRole = "candidate" THEN 1 ELSE 0]
    /\ voters' = [voters EXCEPT ![i] = IF newRole = "candidate" THEN {i} ELSE {}]
    /\ next' = [next EXCEPT ![i] = IF newRole = "leader" THEN [j \in Node |-> IF j = i THEN 0 ELSE Len(log[i]) + 1]
                                   ELSE Zeros]
    /\ match' = [match EXCEPT ![i] = Zeros]

\* Whoever becomes a follower forgets its vote, in the same term as well. A follower keeps it in a later one.
VoteAfter(i, isFollowing, isNewer) ==
    IF (isFollowing /\ "vote" \notin Repairs) \/ (isNewer /\ "vote" \in Repairs) THEN Nobody ELSE votedFor[i]

\* A message of a later term: what all handlers have in common. It makes candidates and leaders followers.
AdoptTerm(i, m) == term' = IF m.term > term[i] THEN [term EXCEPT ![i] = m.term] ELSE term
IsDemoted(i, m) == m.term > term[i] /\ role[i] # "follower"

\* Datagrams are taken, or stay to come again.
Deliver(i, stays) ==
    /\ i \notin down
    /\ IF stays THEN Spend("copies", MaxCopies) ELSE UNCHANGED spent
    /\ UNCHANGED down
After(i, j, m, stays) == IF stays THEN net ELSE Take(net, Datagram(j, i, m))

-----------------------------------------------------------------------------
\* The clock of a follower goes on until it stands for election.
Timeout(i) ==
    /\ Spend("elections", MaxElections)
    /\ i \notin down /\ role[i] = "follower"
    /\ term' = [term EXCEPT ![i] = @ + 1]
    /\ votedFor' = [votedFor EXCEPT ![i] = i]
    /\ Become(i, "candidate")
    /\ net' = SendTo(net, i, Others(i), [type |-> "request_vote", term |-> term[i] + 1,
                                         lastIndex |-> Len(log[i]), lastTerm |-> LastTerm(log[i])])
    /\ UNCHANGED <<log, commit, down>>

\* The clock of a candidate goes on until it gives up. It does not stand again at once.
GiveUp(i) ==
    /\ Spend("giveUps", MaxGiveUps)
    /\ i \notin down /\ role[i] = "candidate"
    /\ votedFor' = [votedFor EXCEPT ![i] = VoteAfter(i, TRUE, FALSE)]
    /\ Become(i, "follower")
    /\ UNCHANGED <<term, log, commit, down, net>>

\* Leaders and candidates never vote; a request of a later term only makes them followers.
ReceiveRequestVote(i, j, stays) == \E m \in Waiting(net, j, i) :
    /\ m.type = "request_vote"
    /\ Deliver(i, stays)
    /\ LET isStale == m.term < term[i]
           vote == VoteAfter(i, IsDemoted(i, m), m.term > term[i])
           isJudged == ~isStale /\ role[i] = "follower" /\ vote = Nobody
           isUpToDate == \/ m.lastTerm > LastTerm(log[i])
                         \/ m.lastTerm = LastTerm(log[i]) /\ m.lastIndex >= Len(log[i])
           answer == IF isStale THEN "stale" ELSE IF isUpToDate THEN "yes" ELSE "no"
           reply == [type |-> "request_vote_response", term |-> IF isStale THEN term[i] ELSE m.term, answer |-> answer]
       IN  /\ votedFor' = [votedFor EXCEPT ![i] = IF isJudged /\ isUpToDate THEN j ELSE vote]
           /\ net' = IF isStale \/ isJudged THEN Send(After(i, j, m, stays), i, j, reply) ELSE After(i, j, m, stays)
           /\ IF IsDemoted(i, m) THEN Become(i, "follower") ELSE UNCHANGED roleVars
    /\ AdoptTerm(i, m)
    /\ UNCHANGED <<log, commit>>

\* Who wins sends a heartbeat at once.
ReceiveVote(i, j, stays) == \E m \in Waiting(net, j, i) :
    /\ m.type = "request_vote_response"
    /\ Deliver(i, stays)
    /\ LET counts == /\ role[i] = "candidate" /\ m.answer = "yes"
                     /\ "stale" \in Repairs => m.term = term[i]
                     /\ "voters" \in Repairs => j \notin voters[i]
           isWon == counts /\ IsQuorum(votes[i] + 1)
           rest == After(i, j, m, stays)
       IN  /\ IF isWon THEN Become(i, "leader")
              ELSE IF IsDemoted(i, m) THEN Become(i, "follower")
              ELSE /\ votes' = IF counts THEN [votes EXCEPT ![i] = @ + 1] ELSE votes
                   /\ voters' = IF counts THEN [voters EXCEPT ![i] = @ \cup {j}] ELSE voters
                   /\ UNCHANGED <<role, next, match>>
           /\ net' = IF isWon THEN SendAppends(rest, i, Others(i), log[i], term[i], commit[i], next'[i]) ELSE rest
    /\ votedFor' = [votedFor EXCEPT ![i] = VoteAfter(i, IsDemoted(i, m), m.term > term[i])]
    /\ AdoptTerm(i, m)
    /\ UNCHANGED <<log, commit>>

\* The log is cut after the entry before that which came, if any came, whether it differs from what is there or not.
NewLog(l, m) ==
    LET n == m.prevIndex + 1
        isThere == Len(l) >= n /\ (m.entries = <<>> \/ l[n].term = m.entries[1].term)
    IN  IF "erase" \in Repairs /\ (isThere \/ m.entries = <<>>) THEN l ELSE SubSeq(l, 1, n - 1) \o m.entries

\* A request of an earlier term is refused in a way that leaders cannot read. Candidates and leaders do not answer.
ReceiveAppendEntries(i, j, stays) == \E m \in Waiting(net, j, i) :
    /\ m.type = "append_entries"
    /\ Deliver(i, stays)
    /\ LET isStale == m.term < term[i]
           isFollowing == ~isStale /\ (IsDemoted(i, m) \/ role[i] = "candidate")
           isTaken == ~isStale /\ role[i] = "follower"
           isOk == isTaken /\ m.prevIndex <= Len(log[i]) /\ TermAt(log[i], m.prevIndex) = m.prevTerm
           newLog == NewLog(log[i], m)
           end == IF "erase" \in Repairs THEN m.prevIndex + Len(m.entries) ELSE Len(newLog)
           reply == [type |-> "append_entries_response", term |-> IF isStale THEN term[i] ELSE m.term,
                     hasId |-> ~isStale \/ "id" \in Repairs, success |-> isOk, last |-> IF isOk THEN end ELSE 0]
       IN  /\ log' = IF isOk THEN [log EXCEPT ![i] = newLog] ELSE log
           /\ commit' = IF isOk /\ commit[i] < m.commit THEN [commit EXCEPT ![i] = Min(m.commit, end)] ELSE commit
           /\ votedFor' = [votedFor EXCEPT ![i] = VoteAfter(i, isFollowing, m.term > term[i])]
           /\ IF isFollowing THEN Become(i, "follower") ELSE UNCHANGED roleVars
           /\ net' = IF isStale \/ isTaken THEN Send(After(i, j, m, stays), i, j, reply) ELSE After(i, j, m, stays)
    /\ AdoptTerm(i, m)

\* Without an id the handler of a leader fails, after the term was adopted. What is left for a follower is sent at once.
ReceiveAnswer(i, j, stays) == \E m \in Waiting(net, j, i) :
    /\ m.type = "append_entries_response"
    /\ Deliver(i, stays)
    /\ LET isTaken == /\ role[i] = "leader" /\ m.term <= term[i] /\ m.hasId
                      /\ "stale" \in Repairs => m.term = term[i]
           found == IF "match" \in Repairs THEN Max({m.last, match[i][j]}) ELSE m.last
           newMatch == IF m.success THEN [match[i] EXCEPT ![j] = found] ELSE match[i]
           least == IF "next" \in Repairs THEN match[i][j] + 1 ELSE 1
           newNext == [next[i] EXCEPT ![j] = IF m.success THEN found + 1 ELSE Max({@ - 1, least})]
           newCommit == IF m.success THEN Counted(i, log[i], term[i], commit[i], newMatch) ELSE commit[i]
           rest == After(i, j, m, stays)
           isMore == Len(log[i]) >= newNext[j]
       IN  IF isTaken
           THEN /\ match' = [match EXCEPT ![i] = newMatch]
                /\ next' = [next EXCEPT ![i] = newNext]
                /\ commit' = [commit EXCEPT ![i] = newCommit]
                /\ net' = IF isMore THEN SendAppends(rest, i, {j}, log[i], term[i], newCommit, newNext) ELSE rest
                /\ UNCHANGED <<role, votes, voters>>
           ELSE /\ IF IsDemoted(i, m) THEN Become(i, "follower") ELSE UNCHANGED roleVars
                /\ net' = rest
                /\ UNCHANGED commit
    /\ votedFor' = [votedFor EXCEPT ![i] = VoteAfter(i, IsDemoted(i, m), m.term > term[i])]
    /\ AdoptTerm(i, m)
    /\ UNCHANGED log

Lose(i, j) == \E m \in Waiting(net, j, i) :
    /\ Spend("losses", MaxLosses)
    /\ net' = Take(net, Datagram(j, i, m))
    /\ UNCHANGED <<nodeVars, down>>

-----------------------------------------------------------------------------
\* The clock of i goes on by one period.
Heartbeat(i) ==
    /\ Spend("heartbeats", MaxHeartbeats)
    /\ i \notin down /\ role[i] = "leader"
    /\ net' = SendAppends(net, i, Others(i), log[i], term[i], commit[i], next[i])
    /\ UNCHANGED <<nodeVars, down>>

\* A client asks i, which sends to all at once.
Request(i, v) ==
    /\ Spend("requests", MaxRequests)
    /\ i \notin down /\ role[i] = "leader"
    /\ log' = [log EXCEPT ![i] = Append(@, Entry(term[i], v))]
    /\ net' = SendAppends(net, i, Others(i), log'[i], term[i], commit[i], next[i])
    /\ UNCHANGED <<term, votedFor, commit, roleVars, down>>

\* What i has after its next start is what it has from now on: no vote, and no commit index.
Crash(i) ==
    /\ Spend("crashes", MaxCrashes)
    /\ i \notin down
    /\ down' = down \cup {i}
    /\ Become(i, "follower")
    /\ commit' = [commit EXCEPT ![i] = 0]
    /\ votedFor' = [votedFor EXCEPT ![i] = VoteAfter(i, TRUE, FALSE)]
    /\ UNCHANGED <<term, log, net>>

Restart(i) ==
    /\ i \in down
    /\ down' = down \ {i}
    /\ UNCHANGED <<nodeVars, net, spent>>

Next ==
    \/ \E i \in Node : Timeout(i) \/ GiveUp(i) \/ Heartbeat(i) \/ Crash(i) \/ Restart(i)
    \/ \E i \in Node, v \in Value : Request(i, v)
    \/ \E i, j \in Node : Lose(i, j)
    \/ \E i, j \in Node, stays \in BOOLEAN : \/ ReceiveRequestVote(i, j, stays) \/ ReceiveVote(i, j, stays)
                                             \/ ReceiveAppendEntries(i, j, stays) \/ ReceiveAnswer(i, j, stays)

Spec == Init /\ [][Next]_vars

FewUnderWay == UnderWay(net) <= MaxUnderWay
AnyName == Permutations(Node) \cup Permutations(Value)

-----------------------------------------------------------------------------
(* What must hold. README.md says which repair each needs.                   *)

Committed(i) == SubSeq(log[i], 1, Min(commit[i], Len(log[i])))
IsPrefix(s, t) == Len(s) <= Len(t) /\ s = SubSeq(t, 1, Len(s))
StaysLeader(i) == role[i] = "leader" /\ role'[i] = "leader" /\ term'[i] = term[i]

ElectionSafety ==
    \A i, j \in Node : role[i] = "leader" /\ role[j] = "leader" /\ term[i] = term[j] => i = j

LogMatching ==
    \A i, j \in Node : \A n \in 1..Min(Len(log[i]), Len(log[j])) :
        log[i][n].term = log[j][n].term => SubSeq(log[i], 1, n) = SubSeq(log[j], 1, n)

LeaderCompleteness ==
    \A i, j \in Node : role[i] = "leader" /\ term[j] <= term[i] => IsPrefix(Committed(j), log[i])

StateMachineSafety ==
    \A i, j \in Node : IsPrefix(Committed(i), Committed(j)) \/ IsPrefix(Committed(j), Committed(i))

\* What one node takes for safe, a majority has.
CommittedIsDurable ==
    \A i \in Node : IsMajority(Cardinality({j \in Node : IsPrefix(Committed(i), log[j])}))

CommitWithinLog == \A i \in Node : commit[i] <= Len(log[i])
NextAboveMatch == \A i, j \in Node : role[i] = "leader" /\ i # j => next[i][j] > match[i][j]

\* What a leader knows to be on a majority, in its own term, it takes for safe.
CommitProgress ==
    \A i \in Node : role[i] = "leader" =>
        \A n \in (commit[i] + 1)..Len(log[i]) :
            ~(IsMajority(HaveMatch(i, match[i], n)) /\ log[i][n].term = term[i])

\* No leader is about to get what its handler cannot read.
AnswersHaveIds ==
    \A d \in Held(net) : d.body.type = "append_entries_response" /\ role[d.to] = "leader" => d.body.hasId

CommitMonotonic == [][\A i \in Node : i \notin down' => commit[i] <= commit'[i]]_vars
MatchMonotonic == [][\A i, j \in Node : StaysLeader(i) => match[i][j] <= match'[i][j]]_vars
TermMonotonic == [][\A i \in Node : term[i] <= term'[i]]_vars
NextMonotonic ==
    [][\A i, j \in Node : StaysLeader(i) /\ next'[i][j] < next[i][j] => next'[i][j] > match'[i][j]]_vars

VotesOnce ==
    [][\A i \in Node : term'[i] = term[i] /\ votedFor[i] # Nobody => votedFor'[i] = votedFor[i]]_vars

CommitsOwnTerm ==
    [][\A i \in Node : StaysLeader(i) /\ commit'[i] > commit[i] => log'[i][commit'[i]].term = term[i]]_vars

LeaderAppendsOnly == [][\A i \in Node : StaysLeader(i) => IsPrefix(log[i], log'[i])]_vars
CommittedStays == [][\A i \in Node : IsPrefix(Committed(i), log'[i])]_vars
=============================================================================
