--------------------------- MODULE LeaderElection ---------------------------
(* Terms, votes and heartbeats, as in Raft, without a log. *)
EXTENDS Integers, Sequences, FiniteSets, TLC

CONSTANTS Server, MaxTerm, Nil

ASSUME /\ MaxTerm \in Nat \ {0}
       /\ Nil \notin Server

VARIABLES term, role, votedFor, votes, inbox

serverVars == <<term, role, votedFor>>
vars       == <<serverVars, votes, inbox>>

Role   == {"follower", "candidate", "leader"}
Quorum == {q \in SUBSET Server : Cardinality(q) * 2 > Cardinality(Server)}

RequestVote(from, t) == [kind |-> "request", from |-> from, term |-> t]
Vote(from, t)        == [kind |-> "vote", from |-> from, term |-> t]
Heartbeat(from, t)   == [kind |-> "heartbeat", from |-> from, term |-> t]

Remove(s, i) == SubSeq(s, 1, i - 1) \o SubSeq(s, i + 1, Len(s))

Broadcast(m, boxes) == [s \in Server |-> IF s = m.from THEN boxes[s] ELSE Append(boxes[s], m)]

Init ==
    /\ term     = [s \in Server |-> 0]
    /\ role     = [s \in Server |-> "follower"]
    /\ votedFor = [s \in Server |-> Nil]
    /\ votes    = [s \in Server |-> {}]
    /\ inbox    = [s \in Server |-> <<>>]

Timeout(s) ==
    /\ role[s] # "leader"
    /\ term[s] < MaxTerm
    /\ term'     = [term EXCEPT ![s] = @ + 1]
    /\ role'     = [role EXCEPT ![s] = "candidate"]
    /\ votedFor' = [votedFor EXCEPT ![s] = s]
    /\ votes'    = [votes EXCEPT ![s] = {s}]
    /\ inbox'    = Broadcast(RequestVote(s, term'[s]), inbox)

BecomeLeader(s) ==
    /\ role[s] = "candidate"
    /\ votes[s] \in Quorum
    /\ role' = [role EXCEPT ![s] = "leader"]
    /\ inbox' = Broadcast(Heartbeat(s, term[s]), inbox)
    /\ UNCHANGED <<term, votedFor, votes>>

StepDown(s, t) ==
    /\ term' = [term EXCEPT ![s] = t]
    /\ role' = [role EXCEPT ![s] = "follower"]
    /\ votedFor' = [votedFor EXCEPT ![s] = Nil]

Receive(s, i) ==
    LET m    == inbox[s][i]
        rest == [inbox EXCEPT ![s] = Remove(@, i)]
        Grant(to) ==
            /\ votedFor' = [votedFor EXCEPT ![s] = to]
            /\ inbox' = [rest EXCEPT ![to] = Append(@, Vote(s, m.term))]
    IN  IF m.term > term[s]
          THEN /\ StepDown(s, m.term)
               /\ UNCHANGED <<votes, inbox>>
          ELSE /\ UNCHANGED <<term, role>>
               /\ CASE m.term < term[s] ->
                         /\ inbox' = rest
                         /\ UNCHANGED <<votedFor, votes>>
                    [] m.kind = "request" /\ votedFor[s] \in {Nil, m.from} ->
                         /\ Grant(m.from)
                         /\ UNCHANGED votes
                    [] m.kind = "vote" ->
                         /\ votes' = [votes EXCEPT ![s] = @ \cup {m.from}]
                         /\ inbox' = rest
                         /\ UNCHANGED votedFor
                    [] OTHER ->
                         /\ inbox' = rest
                         /\ UNCHANGED <<votedFor, votes>>

Next ==
    \E s \in Server :
        \/ Timeout(s)
        \/ BecomeLeader(s)
        \/ \E i \in DOMAIN inbox[s] : Receive(s, i)

Spec ==
    /\ Init
    /\ [][Next]_vars
    /\ \A s \in Server : WF_vars(BecomeLeader(s)) /\ SF_vars(\E i \in DOMAIN inbox[s] : Receive(s, i))

OneLeaderPerTerm ==
    \A s, t \in Server :
        role[s] = "leader" /\ role[t] = "leader" /\ term[s] = term[t] => s = t

Symmetry == Permutations(Server)
=============================================================================
