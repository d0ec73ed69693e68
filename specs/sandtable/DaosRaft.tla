------------------------------ MODULE DaosRaft ------------------------------
(* The elections of DAOS's Raft, which began from the same C library, with   *)
(* pre-votes: who stands for election asks first, and who knows a leader     *)
(* refuses, if it heard of it less than an election's time ago. A leader     *)
(* whose heartbeats are as seldom as elections does not hear of itself in    *)
(* time: with "lease" in `Bugs` it grants, and its program ends there.       *)
EXTENDS Naturals, Sequences, FiniteSets, TLC, TcpNetwork

CONSTANTS Nobody, Bugs, MaxElections, MaxHeartbeats, MaxCuts, MaxUnderWay
ASSUME Bugs \subseteq {"lease"}

VARIABLES
    term, votedFor, role, votes,
    leader,     \* whom a node takes for the leader of its term
    hasFailed,  \* whose program ended
    net, spent

nodeVars == <<term, votedFor, role, votes, leader, hasFailed>>
vars == <<nodeVars, net, spent>>

IsMajority(s) == 2 * Cardinality(s) > Cardinality(Node)

Init ==
    /\ term = [i \in Node |-> 0]
    /\ votedFor = [i \in Node |-> Nobody]
    /\ role = [i \in Node |-> "follower"]
    /\ votes = [i \in Node |-> {}]
    /\ leader = [i \in Node |-> Nobody]
    /\ hasFailed = {}
    /\ net = Connections
    /\ spent = [elections |-> 0, heartbeats |-> 0, cuts |-> 0]

Spend(what, most) == spent[what] < most /\ spent' = [spent EXCEPT ![what] = @ + 1]

\* A node asks whether it could win. It knows no leader any more.
Timeout(i) ==
    /\ Spend("elections", MaxElections)
    /\ role[i] # "leader" /\ i \notin hasFailed
    /\ role' = [role EXCEPT ![i] = "precandidate"]
    /\ votes' = [votes EXCEPT ![i] = {i}]
    /\ leader' = [leader EXCEPT ![i] = Nobody]
    /\ net' = Broadcast(net, i, [type |-> "vote", pre |-> TRUE, term |-> term[i] + 1])
    /\ UNCHANGED <<term, votedFor, hasFailed>>

HandleVote(i, j, m) ==
    LET isLeader == role[i] = "leader"
        knowsLeader == IF isLeader THEN "lease" \notin Bugs ELSE leader[i] # Nobody
        isNewer == m.term > term[i] /\ ~m.pre
        isFree == m.pre \/ isNewer \/ votedFor[i] \in {Nobody, j}
        isGranted == ~knowsLeader /\ m.term >= term[i] /\ isFree
        fails == isGranted /\ isLeader
        isMoved == ~knowsLeader /\ isNewer /\ ~fails
        reply == [type |-> "voted", pre |-> m.pre, term |-> IF m.pre \/ isMoved THEN m.term ELSE term[i], granted |-> isGranted]
    IN  /\ hasFailed' = IF fails THEN hasFailed \cup {i} ELSE hasFailed
        /\ term' = IF isMoved THEN [term EXCEPT ![i] = m.term] ELSE term
        /\ role' = IF isMoved THEN [role EXCEPT ![i] = "follower"] ELSE role
        /\ votedFor' = IF isGranted /\ ~m.pre THEN [votedFor EXCEPT ![i] = j]
                       ELSE IF isMoved THEN [votedFor EXCEPT ![i] = Nobody] ELSE votedFor
        /\ votes' = IF isMoved THEN [votes EXCEPT ![i] = {}] ELSE votes
        /\ net' = IF fails THEN Take(net, j, i) ELSE Send(Take(net, j, i), i, j, reply)
        /\ UNCHANGED leader

HandleVoted(i, j, m) ==
    LET isAsking == role[i] = "precandidate"
        counts == /\ m.granted /\ m.pre = isAsking /\ role[i] \in {"precandidate", "candidate"}
                  /\ m.term = (IF isAsking THEN term[i] + 1 ELSE term[i])
        isWon == counts /\ IsMajority(votes[i] \cup {j})
        rest == Take(net, j, i)
    IN  /\ term' = IF isWon /\ isAsking THEN [term EXCEPT ![i] = @ + 1] ELSE term
        /\ votedFor' = IF isWon /\ isAsking THEN [votedFor EXCEPT ![i] = i] ELSE votedFor
        /\ role' = IF ~isWon THEN role ELSE [role EXCEPT ![i] = IF isAsking THEN "candidate" ELSE "leader"]
        /\ votes' = IF isWon THEN [votes EXCEPT ![i] = IF isAsking THEN {i} ELSE {}]
                    ELSE IF counts THEN [votes EXCEPT ![i] = @ \cup {j}] ELSE votes
        /\ leader' = IF isWon /\ ~isAsking THEN [leader EXCEPT ![i] = i] ELSE leader
        /\ net' = IF ~isWon THEN rest
                  ELSE IF isAsking THEN Broadcast(rest, i, [type |-> "vote", pre |-> FALSE, term |-> term[i] + 1])
                  ELSE Broadcast(rest, i, [type |-> "heartbeat", term |-> term[i]])
        /\ UNCHANGED hasFailed

HandleHeartbeat(i, j, m) ==
    LET isTaken == m.term >= term[i]
    IN  /\ term' = IF isTaken THEN [term EXCEPT ![i] = m.term] ELSE term
        /\ votedFor' = IF m.term > term[i] THEN [votedFor EXCEPT ![i] = Nobody] ELSE votedFor
        /\ role' = IF isTaken THEN [role EXCEPT ![i] = "follower"] ELSE role
        /\ votes' = IF isTaken THEN [votes EXCEPT ![i] = {}] ELSE votes
        /\ leader' = IF isTaken THEN [leader EXCEPT ![i] = j] ELSE leader
        /\ net' = Take(net, j, i)
        /\ UNCHANGED hasFailed

Receive(i, j) ==
    /\ IsWaiting(net, j, i) /\ i \notin hasFailed
    /\ UNCHANGED spent
    /\ LET m == First(net, j, i)
       IN  CASE m.type = "vote" -> HandleVote(i, j, m)
             [] m.type = "voted" -> HandleVoted(i, j, m)
             [] m.type = "heartbeat" -> HandleHeartbeat(i, j, m)

Heartbeat(i) ==
    /\ Spend("heartbeats", MaxHeartbeats)
    /\ role[i] = "leader" /\ i \notin hasFailed
    /\ net' = Broadcast(net, i, [type |-> "heartbeat", term |-> term[i]])
    /\ UNCHANGED nodeVars

Isolate(i) ==
    /\ Spend("cuts", MaxCuts)
    /\ net.cut = {}
    /\ net' = CutOff(net, {i})
    /\ UNCHANGED nodeVars

Heal == net.cut # {} /\ net' = HealAll(net) /\ UNCHANGED <<nodeVars, spent>>

Next == \/ \E i \in Node : Timeout(i) \/ Heartbeat(i) \/ Isolate(i)
        \/ \E i, j \in Node : Receive(i, j)
        \/ Heal

Spec == Init /\ [][Next]_vars

FewUnderWay == UnderWay(net) <= MaxUnderWay
AnyName == Permutations(Node)

ElectionSafety ==
    \A i, j \in Node : role[i] = "leader" /\ role[j] = "leader" /\ term[i] = term[j] => i = j
NobodyFails == hasFailed = {}
TermMonotonic == [][\A i \in Node : term[i] <= term'[i]]_vars
VotesOnce == [][\A i \in Node : term'[i] = term[i] /\ votedFor[i] # Nobody => votedFor'[i] = votedFor[i]]_vars
=============================================================================
