------------------------------ MODULE Records -------------------------------
(* Records: fields, sets of records, comparison of records with the same and *)
(* with other fields, records as functions on strings.                       *)
EXTENDS Naturals, FiniteSets, TLC

VARIABLES msg

R == [kind |-> "req", id |-> 3]
ASSUME R.kind = "req" /\ R.id = 3
ASSUME R = [id |-> 3, kind |-> "req"]
ASSUME R # [id |-> 4, kind |-> "req"]
\* Other fields: different, without a look at the values.
ASSUME [a |-> 1] # [b |-> 1]
ASSUME [a |-> 1] # [a |-> 1, b |-> 2]
ASSUME [a |-> 1, c |-> "x"] # [a |-> "y", b |-> 1]
ASSUME DOMAIN R = {"id", "kind"}
ASSUME R = [f \in {"kind", "id"} |-> IF f = "id" THEN 3 ELSE "req"]
ASSUME [inner |-> [deep |-> 1]].inner.deep = 1

Reply == [ok : BOOLEAN, n : 1..2]
ASSUME Cardinality(Reply) = 4
ASSUME [ok |-> TRUE, n |-> 2] \in Reply /\ [ok |-> TRUE, n |-> 3] \notin Reply
ASSUME [ok |-> TRUE] \notin Reply
ASSUME [n |-> 1, ok |-> FALSE, extra |-> 0] \notin Reply
ASSUME [n |-> 7, s |-> {5}] \in [n : Nat, s : SUBSET Nat]
ASSUME [n : {}, ok : BOOLEAN] = {}
ASSUME [a : {1}, b : {2}] = {[a |-> 1, b |-> 2]}
ASSUME Reply = {[ok |-> b, n |-> i] : b \in BOOLEAN, i \in 1..2}

\* Fields count in the order in which their names were first read, not by the alphabet.
ASSUME (CHOOSE r \in [zeta : 1..2, alpha : 1..2] : r.zeta # r.alpha) = [zeta |-> 1, alpha |-> 2]
ASSUME PrintT([zeta |-> 1, alpha |-> 2]) /\ PrintT([alpha |-> 2, zeta |-> 1])

Request == [kind : {"req"}, id : 1..2]
Answer == [kind : {"ans"}, id : 1..2, body : {"yes", "no"}]
Init == msg \in Request
Next ==
    \/ msg.kind = "req" /\ \E b \in {"yes", "no"} : msg' = [kind |-> "ans", id |-> msg.id, body |-> b]
    \/ msg.kind = "ans" /\ msg.body = "no" /\ msg' \in {r \in Request : r.id # msg.id}
Typed == msg \in Request \cup Answer
=============================================================================
