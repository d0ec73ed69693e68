----------------------------- MODULE StageTrace -----------------------------
(* Whether what `save` wrote, or `--log`, can have happened on a stage:      *)
(* messages come from somewhere and go nowhere by themselves, and no clock   *)
(* moves but by an event that moves it.                                      *)
(*                                                                           *)
(*   specline validate --spec StageTrace.tla --log run.ndjson                *)
EXTENDS Integers, Sequences, FiniteSets, Json, IOUtils, TLC

Lines == ndJsonDeserialize(IOEnv.LOG)
Nodes == DOMAIN Lines[1].clocks

VARIABLES
    line,      \* the line that comes next
    held,      \* messages that were sent and have not arrived
    highest,   \* the highest number of a message from one node to another so far
    clocks,
    nodes      \* whether each runs

E == Lines[line]
S == E.step
\* A part of a message is none yet, and has no number.
HeldNow == {E.held[i] : i \in {n \in DOMAIN E.held : E.held[n].kind # "part"}}
Gone == held \ HeldNow
Fresh == HeldNow \ held
Between(m, i, j) == {m.from, m.to} = {i, j}
IsEarlier(a, b) == a.s < b.s \/ (a.s = b.s /\ a.ns < b.ns)
Max(numbers) == CHOOSE n \in numbers : \A m \in numbers : m <= n

\* Nodes that run no more.
Ended == {i \in Nodes : nodes[i] = "running" /\ E.nodes[i] # "running"}
\* What is lost when those end that do.
Lost == {m \in held : m.from \in Ended \/ m.to \in Ended}

\* Those that somebody only looks at.
Stays == Gone = {} /\ Fresh = {} /\ E.clocks = clocks /\ E.nodes = nodes
\* A node runs until it is at rest: it may send, and end.
ClocksStay == E.clocks = clocks
ClockOf(i) ==
    /\ \A j \in Nodes \ {i} : E.clocks[j] = clocks[j]
    /\ ~IsEarlier(E.clocks[i], clocks[i])

Look == S.kind \in {"held", "nodes", "expect", "save", "help", "at", "lose", "lose-part", "unsynced", "break"} /\ Stays
Run ==
    /\ S.kind \in {"start", "client", "observe", "heal", "accept", "refuse", "time-out", "release"}
    /\ Gone \subseteq Lost
    /\ ClocksStay
Tick == S.kind \in {"tick", "advance"} /\ Gone \subseteq Lost /\ ClockOf(S.node)
Deliver ==
    /\ S.kind = "deliver"
    /\ \A m \in Gone \ Lost : m.from = S.from /\ m.to = S.to
    /\ ClocksStay
Duplicate == S.kind = "duplicate" /\ Gone \subseteq Lost /\ ClocksStay
Drop ==
    /\ S.kind = "drop"
    /\ \A m \in Gone : m.from = S.from /\ m.to = S.to /\ m.number = S.number
    /\ Cardinality(Gone) <= 1
    /\ ClocksStay
Cut ==
    /\ S.kind = "cut"
    /\ \A m \in Gone \ Lost :
        IF "other" \in DOMAIN S THEN Between(m, S.one, S.other) ELSE S.one \in {m.from, m.to}
    /\ ClocksStay
Crash == S.kind = "crash" /\ Gone \subseteq Lost /\ E.nodes[S.node] = "crashed" /\ ClocksStay

TraceInit ==
    /\ line = 1
    /\ held = {}
    /\ highest = [pair \in Nodes \X Nodes |-> 0]
    /\ clocks = [i \in Nodes |-> [s |-> 0, ns |-> 0]]
    /\ nodes = [i \in Nodes |-> "not started"]

TraceNext ==
    /\ line <= Len(Lines)
    /\ \/ Look \/ Run \/ Tick \/ Deliver \/ Duplicate \/ Drop \/ Cut \/ Crash
    \* Numbers are never used again.
    /\ \A m \in Fresh : m.number > highest[m.from, m.to]
    /\ \A m, n \in HeldNow : (m.from = n.from /\ m.to = n.to /\ m.number = n.number) => m = n
    /\ line' = line + 1
    /\ held' = HeldNow
    /\ highest' = [pair \in Nodes \X Nodes |->
        Max({highest[pair]} \union {m.number : m \in {m \in Fresh : <<m.from, m.to>> = pair}})]
    /\ clocks' = E.clocks
    /\ nodes' = E.nodes

\* The first state is there before the first line.
Explained == TLCGet("stats").diameter - 1 = Len(Lines)
=============================================================================
