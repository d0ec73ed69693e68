------------------------------ MODULE RaftFrom ------------------------------
(* `Raft`, started where it gets interesting: in states that it reaches, but *)
(* only after so many steps that a search from the first one takes long.     *)
EXTENDS Raft

CONSTANTS n1, n2, n3, x, Where
ASSUME Where \in {"start", "loose", "diverged", "split"}

\* All have just started; these are their logs.
From(t, logs) ==
    /\ term = [i \in Server |-> t]
    /\ votedFor = [i \in Server |-> None]
    /\ log = logs
    /\ role = [i \in Server |-> "follower"]
    /\ commit = [i \in Server |-> 0]
    /\ votes = [i \in Server |-> {}]
    /\ nextIndex = [i \in Server |-> [j \in Server |-> 1]]
    /\ matchIndex = [i \in Server |-> [j \in Server |-> 0]]
    /\ net = [i \in Server |-> [j \in Server |-> <<>>]]

\* The log of entries of these terms.
Log(terms) == [n \in DOMAIN terms |-> [term |-> terms[n], value |-> x]]
Logs(a, b, c) == [i \in Server |-> CASE i = n1 -> Log(a) [] i = n2 -> Log(b) [] i = n3 -> Log(c)]

\* n2 led in term 2, and nobody has its last entry.
Loose == From(2, Logs(<<1>>, <<1, 2>>, <<1>>))
\* n1 led in term 1, n2 in term 2, and nobody has anything of theirs.
Diverged == From(2, Logs(<<1>>, <<2, 2>>, <<>>))
\* The same, one entry each: the paper's figure 8.
Split == From(2, Logs(<<1>>, <<2>>, <<>>))

Begin == CASE Where = "start" -> Init
           [] Where = "loose" -> Loose
           [] Where = "diverged" -> Diverged
           [] Where = "split" -> Split
=============================================================================
