--------------------------- MODULE CopiesSurvive ----------------------------
(* A mutant of ../protocols/CacheCoherence.tla. Copies are taken away from   *)
(* readers only when someone reads: `"write"` became `"read"`.               *)
EXTENDS Naturals, FiniteSets

CONSTANTS Core, Value, None

VARIABLES
    line,      \* line[c]: state and data of core c
    memory,    \* the value in memory
    latest,    \* the last value written anywhere
    want,      \* want[c]: "read", "write" or "nothing"
    owner,     \* the core the directory serves
    toKill     \* cores that still have to give up their copy

vars == <<line, memory, latest, want, owner, toKill>>

Init ==
    /\ line = [c \in Core |-> [state |-> "I", data |-> None]]
    /\ memory \in Value
    /\ latest = memory
    /\ want = [c \in Core |-> "nothing"]
    /\ owner = None
    /\ toKill = {}

Request(c, kind) ==
    /\ want[c] = "nothing"
    /\ kind = "read" => line[c].state = "I"
    /\ kind = "write" => line[c].state # "M"
    /\ want' = [want EXCEPT ![c] = kind]
    /\ UNCHANGED <<line, memory, latest, owner, toKill>>

Serve(c) ==
    /\ owner = None
    /\ want[c] # "nothing"
    /\ owner' = c
    /\ toKill' = {d \in Core \ {c} : line[d].state = "M" \/ (want[c] = "read" /\ line[d].state = "S")}
    /\ UNCHANGED <<line, memory, latest, want>>

\* Whoever has changed the line writes it back; a reader leaves a copy behind.
Give(d) ==
    /\ d \in toKill
    /\ toKill' = toKill \ {d}
    /\ memory' = IF line[d].state = "M" THEN line[d].data ELSE memory
    /\ line' = [line EXCEPT ![d] = IF want[owner] = "read" THEN [state |-> "S", data |-> @.data]
                                   ELSE [state |-> "I", data |-> None]]
    /\ UNCHANGED <<latest, want, owner>>

Finish(c) ==
    /\ owner = c
    /\ toKill = {}
    /\ line' = [line EXCEPT ![c] = [state |-> IF want[c] = "read" THEN "S" ELSE "M", data |-> memory]]
    /\ want' = [want EXCEPT ![c] = "nothing"]
    /\ owner' = None
    /\ UNCHANGED <<memory, latest, toKill>>

Store(c, v) ==
    /\ line[c].state = "M"
    /\ c \notin toKill
    /\ line' = [line EXCEPT ![c].data = v]
    /\ latest' = v
    /\ UNCHANGED <<memory, want, owner, toKill>>

Evict(c) ==
    /\ line[c].state # "I"
    /\ c \notin toKill
    /\ want[c] = "nothing"
    /\ memory' = IF line[c].state = "M" THEN line[c].data ELSE memory
    /\ line' = [line EXCEPT ![c] = [state |-> "I", data |-> None]]
    /\ UNCHANGED <<latest, want, owner, toKill>>

Next ==
    \E c \in Core :
        \/ Serve(c) \/ Give(c) \/ Finish(c) \/ Evict(c)
        \/ \E k \in {"read", "write"} : Request(c, k)
        \/ \E v \in Value : Store(c, v)
Spec == Init /\ [][Next]_vars

OneWriter == \A c, d \in Core : line[c].state = "M" /\ line[d].state # "I" => c = d
ReadsLatest == \A c \in Core : line[c].state # "I" => line[c].data = latest
=============================================================================
