---- MODULE BoundWithoutValue ----
(* Constant bounds of an action that have no value are no error before the search tries that action: here a violation
   is found first. *)
EXTENDS Integers

VARIABLE x

Init == x = 0

Up == x' = x + 1

Never == \E i \in [j \in 0..2 |-> {}][12] : x' = i

Next == Up \/ Never

Small == x < 1
====
