-------------------------- MODULE QuantifiedActions -------------------------
(* \A in an action is a conjunction, and may give a variable its value at    *)
(* one of its instances; over nothing it is TRUE. An implication with a      *)
(* false guard asks for nothing.                                             *)
EXTENDS Naturals

VARIABLES f, last

Node == 1..3

Init == f = [n \in Node |-> 0] /\ last = 0
\* Whichever instance comes first assigns; the others test the same value.
AllBump == \A n \in Node : f[n] < 2 /\ f' = [m \in Node |-> f[m] + 1]
AllTested == \A n \in {1, 2} : last' \in {n, 3} \cup {n + 1}
OverNothing == \A n \in {} : last' = 77
Implied == (last = 0 => last' = 3) /\ (last # 0 => last' = 0)

Next ==
    \/ AllBump /\ AllTested
    \/ OverNothing /\ last' = 0 /\ f' = [n \in Node |-> 0] /\ f[1] > 0
    \/ UNCHANGED f /\ Implied /\ \A n \in Node : f'[n] = f[n]
Typed == f \in [Node -> 0..2] /\ last \in 0..3
=============================================================================
