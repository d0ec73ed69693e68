---------------------------- MODULE TupleBindings ---------------------------
(* Patterns of tuples wherever a name is bound in an action or a function.   *)
EXTENDS Naturals, Sequences, FiniteSets

VARIABLES at, edges

Step == \E <<from, to>> \in edges : at = from /\ at' = to /\ UNCHANGED edges
Add == \E a, b \in 1..2, <<p, q>> \in {<<2, 3>>} :
        /\ a < b /\ <<b, q>> \notin edges
        /\ edges' = edges \cup {<<b, q>>}
        /\ at' = p - 1
Cut == \E <<from, to>> \in edges : at = to /\ edges' = edges \ {<<from, to>>} /\ UNCHANGED at
Init == at = 1 /\ edges = {<<1, 2>>}
Next == Step \/ Add \/ Cut
Weight == [<<a, b>> \in edges |-> a + b]
Fine ==
    /\ at \in 1..3
    /\ \A <<a, b>> \in edges : a < b /\ Weight[<<a, b>>] = a + b
    /\ LET longest == IF edges = {} THEN <<0, 0>> ELSE CHOOSE <<a, b>> \in edges : \A <<c, d>> \in edges : d <= b
       IN  longest[2] <= 3
=============================================================================
