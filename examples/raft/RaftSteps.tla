------------------------------ MODULE RaftSteps ------------------------------
(* `raft-node` step by step: what one event outside of it makes it do, from   *)
(* the event until it waits again. A step here is several of `Raft`: who has  *)
(* enough votes becomes leader and tells everybody at once, who is            *)
(* acknowledged sends what is left. Connections are those of TCP: they keep   *)
(* their order, and lose what is under way only when one end crashes; what is *)
(* sent first on a connection whose other end has crashed is lost, too.       *)
(*                                                                            *)
(* `mapping.toml` says what each action is on a stage.                        *)
EXTENDS Raft

CONSTANTS
    n1, n2, n3,  \* for models that name them
    MaxCrashes

VARIABLES
    up,          \* who runs
    link,        \* link[i][j]: i's connection to j, "none", "up" or "broken"
    crashes      \* how many there were

stepVars == <<vars, up, link, crashes>>

-----------------------------------------------------------------------------
\* A node with what it sends.
Node(i) ==
    [term |-> term[i], votedFor |-> votedFor[i], log |-> log[i], role |-> role[i], commit |-> commit[i],
     votes |-> votes[i], next |-> nextIndex[i], match |-> matchIndex[i], out |-> [j \in Server |-> <<>>]]

Sending(n, j, m) == [n EXCEPT !.out[j] = Append(@, m)]

AppendFor(n, j, max) ==
    LET prev == n.next[j] - 1
    IN  [type |-> "append", term |-> n.term, prevIndex |-> prev, prevTerm |-> TermAt(n.log, prev),
         entries |-> SubSeq(n.log, prev + 1, Min(prev + max, Len(n.log))), commit |-> n.commit]

AppendsToAll(n, i, max) ==
    [n EXCEPT !.out = [j \in Server |-> IF j = i THEN @[j] ELSE Append(@[j], AppendFor(n, j, max))]]

Elected(n, i) ==
    IF n.role = "candidate" /\ IsMajority(n.votes)
    THEN AppendsToAll([n EXCEPT !.role = "leader",
                                !.next = [j \in Server |-> Len(n.log) + 1],
                                !.match = [j \in Server |-> 0]], i, 0)
    ELSE n

Committed(n, i) ==
    LET safe == {k \in (n.commit + 1)..Len(n.log) :
                    /\ n.log[k].term = n.term \/ Bug = "commit-old-term"
                    /\ IsMajority({i} \cup {j \in Server \ {i} : n.match[j] >= k})}
    IN  IF safe = {} THEN n ELSE [n EXCEPT !.commit = CHOOSE k \in safe : \A l \in safe : l <= k]

-----------------------------------------------------------------------------
\* What node n, which is i, does with a message of j.
Down(n, m) ==
    IF m.term > n.term THEN [n EXCEPT !.term = m.term, !.votedFor = None, !.role = "follower"] ELSE n

TakeAsk(n, j, m) ==
    LET upToDate == \/ m.lastTerm > LastTerm(n.log)
                    \/ m.lastTerm = LastTerm(n.log) /\ m.lastIndex >= Len(n.log)
                    \/ Bug = "vote-early"
        isFree == n.votedFor \in {None, j} \/ Bug = "vote-twice"
        grant == m.term = n.term /\ upToDate /\ isFree
    IN  Sending([n EXCEPT !.votedFor = IF grant THEN j ELSE @], j,
                [type |-> "vote", term |-> n.term, granted |-> grant])

TakeVote(n, i, j, m) ==
    LET counts == /\ m.term = n.term
                  /\ n.role = "candidate"
                  /\ m.granted \/ Bug = "wrong-quorum"
    IN  Elected([n EXCEPT !.votes = IF counts THEN @ \cup {j} ELSE @], i)

TakeAppend(n, j, m) ==
    LET isCurrent == m.term = n.term
        fits == m.prevIndex = 0 \/ (m.prevIndex <= Len(n.log) /\ n.log[m.prevIndex].term = m.prevTerm)
        ok == isCurrent /\ fits
        end == m.prevIndex + Len(m.entries)
        agrees == /\ end <= Len(n.log)
                  /\ \A k \in DOMAIN m.entries : n.log[m.prevIndex + k].term = m.entries[k].term
        newLog == IF ~ok \/ (agrees /\ Bug # "truncate-early") THEN n.log
                  ELSE SubSeq(n.log, 1, m.prevIndex) \o m.entries
        safe == IF Bug = "commit-beyond" THEN Len(newLog) ELSE end
        known == IF ok /\ Bug # "inaccurate-ack" THEN end ELSE Len(newLog)
    IN  Sending([n EXCEPT !.role = IF isCurrent THEN "follower" ELSE @,
                          !.log = newLog,
                          !.commit = IF ok THEN Max(@, Min(m.commit, safe)) ELSE @], j,
                [type |-> "reply", term |-> n.term, ok |-> ok, match |-> known])

TakeReply(n, i, j, m) ==
    LET counts == m.term = n.term /\ n.role = "leader"
        isAck == m.ok \/ Bug = "commit-on-nack"
        match == Max(n.match[j], Min(m.match, Len(n.log)))
        back == Max(n.match[j] + 1, Min(n.next[j] - 1, m.match + 1))
        next == IF isAck THEN match + 1 ELSE back
        known == [n EXCEPT !.next[j] = next, !.match[j] = IF isAck THEN match ELSE @]
        done == Committed(known, i)
        sends == IF m.ok THEN next <= Len(n.log) ELSE next < n.next[j]
    IN  IF ~counts THEN n
        ELSE IF sends THEN Sending(done, j, AppendFor(done, j, MaxBatch))
        ELSE done

Taken(i, j, m) ==
    LET n == Down(Node(i), m)
    IN  CASE m.type = "ask" -> TakeAsk(n, j, m)
          [] m.type = "vote" -> TakeVote(n, i, j, m)
          [] m.type = "append" -> TakeAppend(n, j, m)
          [] m.type = "reply" -> TakeReply(n, i, j, m)

-----------------------------------------------------------------------------
\* What gets through of what i sends to j, and what becomes of the connection.
Through(i, j, out) ==
    CASE link[i][j] = "up" -> out
      [] link[i][j] = "none" -> IF up[j] THEN out ELSE <<>>
      [] link[i][j] = "broken" -> IF up[j] /\ out # <<>> THEN Tail(out) ELSE <<>>
LinkAfter(i, j, out) ==
    CASE out = <<>> -> link[i][j]
      [] link[i][j] = "up" -> "up"
      [] link[i][j] = "none" -> IF up[j] THEN "up" ELSE "none"
      [] link[i][j] = "broken" -> IF up[j] /\ Len(out) > 1 THEN "up" ELSE "none"

\* i is n now; `under` is what was under way before it sent.
Becomes(i, n, under) ==
    /\ term' = [term EXCEPT ![i] = n.term]
    /\ votedFor' = [votedFor EXCEPT ![i] = n.votedFor]
    /\ log' = [log EXCEPT ![i] = n.log]
    /\ role' = [role EXCEPT ![i] = n.role]
    /\ commit' = [commit EXCEPT ![i] = n.commit]
    /\ votes' = [votes EXCEPT ![i] = n.votes]
    /\ nextIndex' = [nextIndex EXCEPT ![i] = n.next]
    /\ matchIndex' = [matchIndex EXCEPT ![i] = n.match]
    /\ net' = [under EXCEPT ![i] = [j \in Server |-> @[j] \o Through(i, j, n.out[j])]]
    /\ link' = [link EXCEPT ![i] = [j \in Server |-> LinkAfter(i, j, n.out[j])]]

-----------------------------------------------------------------------------
StepInit ==
    /\ Init
    /\ up = [i \in Server |-> TRUE]
    /\ link = [i \in Server |-> [j \in Server |-> "none"]]
    /\ crashes = 0

\* i has heard of no leader for too long.
Stand(i) ==
    /\ up[i] /\ i \in Standing
    /\ role[i] # "leader"
    /\ term[i] < MaxTerm
    /\ LET ask == [type |-> "ask", term |-> term[i] + 1, lastTerm |-> LastTerm(log[i]), lastIndex |-> Len(log[i])]
           n == [Node(i) EXCEPT !.term = @ + 1, !.votedFor = i, !.role = "candidate", !.votes = {i},
                                !.out = [j \in Server |-> IF j = i THEN <<>> ELSE <<ask>>]]
       IN  Becomes(i, n, net)
    /\ UNCHANGED <<up, crashes>>

\* It is time for a leader to show that it is there.
Heartbeat(i) ==
    /\ up[i] /\ role[i] = "leader"
    /\ Becomes(i, AppendsToAll(Node(i), i, 0), net)
    /\ UNCHANGED <<up, crashes>>

Ask(i, v) ==
    /\ up[i] /\ role[i] = "leader"
    /\ Len(log[i]) < MaxLog
    /\ LET n == [Node(i) EXCEPT !.log = Append(@, [term |-> term[i], value |-> v])]
       IN  Becomes(i, Committed(AppendsToAll(n, i, MaxBatch), i), net)
    /\ UNCHANGED <<up, crashes>>

\* i takes the first message that is under way from j.
Deliver(j, i) ==
    /\ up[i] /\ net[j][i] # <<>>
    /\ Becomes(i, Taken(i, j, Head(net[j][i])), [net EXCEPT ![j][i] = Tail(@)])
    /\ UNCHANGED <<up, crashes>>

Crash(i) ==
    /\ up[i] /\ i \in Crashing /\ crashes < MaxCrashes
    /\ crashes' = crashes + 1
    /\ up' = [up EXCEPT ![i] = FALSE]
    /\ role' = [role EXCEPT ![i] = "follower"]
    /\ commit' = [commit EXCEPT ![i] = 0]
    /\ votes' = [votes EXCEPT ![i] = {}]
    /\ nextIndex' = [nextIndex EXCEPT ![i] = [j \in Server |-> 1]]
    /\ matchIndex' = [matchIndex EXCEPT ![i] = [j \in Server |-> 0]]
    /\ net' = [j \in Server |-> [k \in Server |-> IF i \in {j, k} THEN <<>> ELSE net[j][k]]]
    /\ link' = [j \in Server |-> [k \in Server |->
                    CASE j = i -> "none"
                      [] j # i /\ k = i /\ link[j][k] = "up" -> "broken"
                      [] OTHER -> link[j][k]]]
    /\ UNCHANGED durableVars

Restart(i) ==
    /\ ~up[i]
    /\ up' = [up EXCEPT ![i] = TRUE]
    /\ term' = IF Bug = "forget-vote" THEN [term EXCEPT ![i] = 0] ELSE term
    /\ votedFor' = IF Bug = "forget-vote" THEN [votedFor EXCEPT ![i] = None] ELSE votedFor
    /\ UNCHANGED <<log, role, commit, votes, leaderVars, net, link, crashes>>

StepNext ==
    \E i \in Server :
        \/ Stand(i)
        \/ Heartbeat(i)
        \/ \E v \in Value : Ask(i, v)
        \/ \E j \in Server : Deliver(j, i)
        \/ Crash(i)
        \/ Restart(i)

ShortQueues == \A i, j \in Server : Len(net[i][j]) <= MaxQueue
=============================================================================
