------------------------------- MODULE Store -------------------------------
(* A store that takes each request once, by its number: what it has, and     *)
(* the requests that it knows, grow with the log that is followed.           *)
EXTENDS Naturals, TLC

VARIABLES
    store,      \* by key, what was put there last
    seen        \* the requests that were taken

Init == store = <<>> /\ seen = {}

Put(request, key, value) ==
    /\ [number |-> request, key |-> key] \notin seen
    /\ seen' = seen \cup {[number |-> request, key |-> key]}
    /\ store' = (key :> value) @@ store

\* What was taken before changes nothing.
Again(request, key) == [number |-> request, key |-> key] \in seen /\ UNCHANGED <<store, seen>>

Get(key, value) == store[key] = value /\ UNCHANGED <<store, seen>>

Next ==
    \/ \E request, value \in Nat, key \in STRING : Put(request, key, value)
    \/ \E request \in Nat, key \in STRING : Again(request, key)
    \/ \E key \in STRING, value \in Nat : Get(key, value)

Spec == Init /\ [][Next]_<<store, seen>>
=============================================================================
