---------------------------- MODULE SingleDecree ----------------------------
(* Paxos for one value. Ballots are numbers, each with its own proposer;     *)
(* acceptors promise, then accept; a value accepted by a majority in one     *)
(* ballot is chosen, and no other ever is.                                   *)
EXTENDS Integers, FiniteSets, TLC

CONSTANTS Acceptor, Value, MaxBallot, None

Ballot == 0..MaxBallot
Majority == {Q \in SUBSET Acceptor : 2 * Cardinality(Q) > Cardinality(Acceptor)}

VARIABLES
    promised,   \* promised[a]: the highest ballot that a has answered
    accepted,   \* accepted[a]: the last vote of a, ballot and value
    msgs        \* all messages, never removed

vars == <<promised, accepted, msgs>>

Vote == [bal : Ballot \cup {-1}, val : Value \cup {None}]

TypeOK ==
    /\ promised \in [Acceptor -> Ballot \cup {-1}]
    /\ accepted \in [Acceptor -> Vote]

Init ==
    /\ promised = [a \in Acceptor |-> -1]
    /\ accepted = [a \in Acceptor |-> [bal |-> -1, val |-> None]]
    /\ msgs = {}

Send(m) == msgs' = msgs \cup {m}

Prepare(b) ==
    /\ ~ \E m \in msgs : m.type = "prepare" /\ m.bal = b
    /\ Send([type |-> "prepare", bal |-> b])
    /\ UNCHANGED <<promised, accepted>>

Promise(a) ==
    \E m \in msgs :
        /\ m.type = "prepare"
        /\ m.bal > promised[a]
        /\ promised' = [promised EXCEPT ![a] = m.bal]
        /\ Send([type |-> "promise", bal |-> m.bal, from |-> a, last |-> accepted[a]])
        /\ UNCHANGED accepted

\* The value of the highest vote that a majority reported, or any.
Propose(b, v) ==
    /\ ~ \E m \in msgs : m.type = "propose" /\ m.bal = b
    /\ \E Q \in Majority :
        LET answers == {m \in msgs : m.type = "promise" /\ m.bal = b /\ m.from \in Q}
            votes == {m.last : m \in answers}
            highest == CHOOSE t \in votes : \A u \in votes : u.bal <= t.bal
        IN  /\ {m.from : m \in answers} = Q
            /\ highest.bal = -1 \/ highest.val = v
    /\ Send([type |-> "propose", bal |-> b, val |-> v])
    /\ UNCHANGED <<promised, accepted>>

Accept(a) ==
    \E m \in msgs :
        /\ m.type = "propose"
        /\ m.bal >= promised[a]
        /\ promised' = [promised EXCEPT ![a] = m.bal]
        /\ accepted' = [accepted EXCEPT ![a] = [bal |-> m.bal, val |-> m.val]]
        /\ Send([type |-> "accepted", bal |-> m.bal, val |-> m.val, from |-> a])

Next ==
    \/ \E b \in Ballot : Prepare(b) \/ \E v \in Value : Propose(b, v)
    \/ \E a \in Acceptor : Promise(a) \/ Accept(a)

Spec == Init /\ [][Next]_vars

Chosen ==
    {v \in Value : \E b \in Ballot : \E Q \in Majority : \A a \in Q :
        [type |-> "accepted", bal |-> b, val |-> v, from |-> a] \in msgs}

Consistent == Cardinality(Chosen) <= 1
\* Neither acceptors nor values have a name that matters.
Symmetric == Permutations(Acceptor) \cup Permutations(Value)

OneValuePerBallot ==
    \A m, n \in msgs : m.type = "propose" /\ n.type = "propose" /\ m.bal = n.bal => m.val = n.val
=============================================================================
