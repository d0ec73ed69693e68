---------------------------- MODULE RingElection ----------------------------
(* Nodes in a ring send their numbers round; each passes on what is higher   *)
(* than its own. Whoever sees its own number again leads. Queues are FIFO.   *)
EXTENDS Naturals, Sequences, FiniteSets

CONSTANT Ids   \* the numbers, in the order of the ring

N == Len(Ids)
Node == 1..N
After(n) == (n % N) + 1

\* For configurations, which cannot say sequences.
FourIds == <<3, 1, 4, 2>>
TenIds == <<3, 8, 1, 10, 2, 6, 4, 9, 5, 7>>

VARIABLES
    inbox,    \* what each node has still to read
    awake,    \* the nodes that have started
    leader    \* the nodes that think they lead

vars == <<inbox, awake, leader>>

Init ==
    /\ inbox = [n \in Node |-> <<>>]
    /\ awake = {}
    /\ leader = {}

Start(n) ==
    /\ n \notin awake
    /\ awake' = awake \cup {n}
    /\ inbox' = [inbox EXCEPT ![After(n)] = Append(@, Ids[n])]
    /\ UNCHANGED leader

Read(n) ==
    /\ n \in awake
    /\ inbox[n] # <<>>
    /\ LET k == Head(inbox[n])
           rest == [inbox EXCEPT ![n] = Tail(@)]
       IN  CASE k > Ids[n] -> inbox' = [rest EXCEPT ![After(n)] = Append(@, k)] /\ UNCHANGED leader
             [] k = Ids[n] -> inbox' = rest /\ leader' = leader \cup {n}
             [] OTHER -> inbox' = rest /\ UNCHANGED leader
    /\ UNCHANGED awake

Next == \E n \in Node : Start(n) \/ Read(n)
Spec == Init /\ [][Next]_vars

OneLeader == Cardinality(leader) <= 1
HighestLeads == \A n \in leader : \A m \in Node : Ids[m] <= Ids[n]
AllAwakeThen == leader # {} => awake = Node
=============================================================================
