------------------------ MODULE ConstraintAlwaysFalse -----------------------
(* A constraint that is the constant FALSE cuts everything off, and is taken *)
(* for a mistake.                                                            *)
EXTENDS Integers

VARIABLE x

Init == x = 0
Next == x' = (x + 1) % 3
Never == 1 = 2
=============================================================================
