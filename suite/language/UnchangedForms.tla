--------------------------- MODULE UnchangedForms ---------------------------
(* UNCHANGED of a variable, a tuple, tuples of tuples and of definitions, an *)
(* empty tuple, and of an expression when everything has its value already.  *)
EXTENDS Naturals, Sequences

VARIABLES a, b, c, d

bc == <<b, c>>
rest == <<bc, d>>
all == <<a, <<b, <<c>>>>, d>>

Init == a = 0 /\ b = 0 /\ c = 0 /\ d = 0
One == a' = (a + 1) % 2 /\ UNCHANGED b /\ UNCHANGED c /\ UNCHANGED d
Two == b' = 1 - b /\ UNCHANGED <<a, c, d>>
Three == a = 1 /\ a' = 0 /\ UNCHANGED rest
Four == UNCHANGED bc /\ UNCHANGED <<<<a>>, d>>
Five == c = 0 /\ c' = 1 /\ UNCHANGED <<>> /\ UNCHANGED <<<<a>>, <<b, d>>>>
Six == UNCHANGED all
\* The last conjunct is a test: the sum stays, though both parts change.
Seven == a' = 1 - a /\ b' = 1 - b /\ UNCHANGED <<c, d>> /\ UNCHANGED (a + b)
Eight == d' = 1 /\ d = 0 /\ c = 1 /\ b' = b /\ UNCHANGED a /\ UNCHANGED c /\ <<a, c>>' = <<a, c>>
Next == One \/ Two \/ Three \/ Four \/ Five \/ Six \/ Seven \/ Eight
Bits == {a, b, c, d} \subseteq {0, 1}
=============================================================================
