---------------------------- MODULE AssumeScopes ----------------------------
(* Assumptions of this module and of those it extends are checked; those of  *)
(* instances are not, and axioms and theorems never are. Named ones can be   *)
(* used as formulas.                                                         *)
EXTENDS Naturals, AssumesTrue, TLC

CONSTANT N
VARIABLE x

I == INSTANCE AssumesFalse WITH size <- N

ASSUME Positive == N > 0
ASSUME PrintT("own assumption")
ASSUMPTION N < 10
AXIOM N = 1000
THEOREM N = 2000
THEOREM Named == N \in Nat

Init == x = I!half
Next == x' = (x + 1) % N /\ Positive /\ Named
Bound == x < N /\ ExtendedFact
=============================================================================
