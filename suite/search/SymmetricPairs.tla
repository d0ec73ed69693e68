--------------------------- MODULE SymmetricPairs ---------------------------
(* Two symmetric sets at once: the permutations of each, and all products of *)
(* them.                                                                     *)
EXTENDS Naturals, FiniteSets, TLC

CONSTANTS Reader, Book
VARIABLE has

Perms == Permutations(Reader) \cup Permutations(Book)

Free(b) == \A r \in Reader : b \notin has[r]
Init == has = [r \in Reader |-> {}]
Borrow(r, b) == Free(b) /\ has' = [has EXCEPT ![r] = @ \cup {b}]
Return(r) == has[r] # {} /\ has' = [has EXCEPT ![r] = {}]
Next == \E r \in Reader : Return(r) \/ \E b \in Book : Borrow(r, b)
OneOwner == \A r, q \in Reader : r # q => has[r] \cap has[q] = {}
=============================================================================
