---- MODULE WhatIsUnsureIsNotReported ----
EXTENDS Naturals, TLC
VARIABLES x, y
Init == x = 0 /\ y = 0
\* The conditions go together: one of the two assigns.
Correlated == /\ IF x = 0 THEN y' = 1 ELSE TRUE
              /\ IF x # 0 THEN y' = 2 ELSE TRUE
              /\ x' = x
Implied == (x = 0 => y' = 1) /\ (x # 0 => y' = 2) /\ x' = x
ForAll == (\A i \in {1} : y' = i) /\ x' = x
\* There is no step this way.
Impossible == \/ x' = 1 /\ FALSE
              \/ x' = 1 /\ Assert(FALSE, "no")
              \/ CASE x = 0 -> UNCHANGED <<x, y>>
                   [] OTHER -> FALSE
RECURSIVE Until(_)
Until(n) == IF n = 0 THEN UNCHANGED <<x, y>> ELSE Until(n - 1)
act[i \in {1, 2}] == UNCHANGED <<x, y>>
Next == Correlated \/ Implied \/ ForAll \/ Impossible \/ Until(2) \/ act[1]
Spec == Init /\ [][Next]_<<x, y>>
====
