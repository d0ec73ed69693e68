--------------------------- MODULE NoInitialStates --------------------------
(* No state satisfies the initial predicate. TLC is content with that.       *)
EXTENDS Naturals

VARIABLE x

Init == x \in 1..5 /\ x > 7
Next == x' = x
Never == FALSE /\ x = 0
=============================================================================
