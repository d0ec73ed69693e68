--------------------------- MODULE WalkedArgument ---------------------------
(* A formula that is passed to an operator and stands in a recursive       *)
(* function there is part of the action: it assigns, and its choices       *)
(* count.                                                                  *)
EXTENDS Integers

VARIABLES x, y

A(p) == LET F[i \in 0..1] == IF i = 0 THEN p ELSE F[i - 1] IN F[1]

Init == x = 1 /\ y = 0
Next == x < 3 /\ \E k \in 1..2 : A(x' = x + k) /\ A(y' \in {k, k + 1} \/ y' = k)
=============================================================================
