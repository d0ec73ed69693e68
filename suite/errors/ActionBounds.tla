---- MODULE ActionBounds ----
(* Bounds of `\E` that have no value end the search in the first state in which they are needed; bounds that nothing
   needs end nothing. *)
EXTENDS Integers

VARIABLE x

Bad == CHOOSE i \in {1} : i = 2

Init == x = 0
NoInit == x = 0 /\ x = 1

Up == x < 3 /\ x' = x + 1

Unneeded == \E i \in {} : \E j \in Bad : x' = i

Late == \E i \in 1..2 : \E j \in {Bad, i} : x' = i + j

Next == Up \/ Unneeded \/ Late
Guarded == Up \/ Unneeded \/ (x > 4 /\ Late)
====
