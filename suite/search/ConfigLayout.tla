----------------------------- MODULE ConfigLayout ---------------------------
(* What a configuration file may look like: comments of both kinds, several  *)
(* statements on a line and one over many, keywords in singular and plural,  *)
(* lists that are continued later, sets in sets.                             *)
EXTENDS Naturals, FiniteSets

CONSTANTS N, Name, Flag, Nested, Values
VARIABLE x

ASSUME N = 3 /\ Name = "a name" /\ Flag = TRUE
ASSUME Nested = {{1, 2}, {}, {3}} /\ Cardinality(Values) = 3

Init == x = 0
Next == x' = (x + 1) % N
One == x < 5
Two == x >= 0
Three == x # 9
Cut == x # 7
=============================================================================
