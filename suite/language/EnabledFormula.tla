--------------------------- MODULE EnabledFormula ---------------------------
(* ENABLED A: some step of A is possible here. Only variables that A speaks  *)
(* of need values; A may choose, test and branch.                            *)
EXTENDS Naturals

VARIABLES x, y

Up == x < 3 /\ x' = x + 1
Pick == x' \in {y, y + 2} /\ x' < 3
Never == x' = x /\ x' # x
OnlyY == y' = 1 - y
Both == Up /\ OnlyY
Bind == \E k \in 0..2 : k > x /\ x' = k

Init == x = 0 /\ y = 0
Next ==
    \/ Up /\ UNCHANGED y
    \/ ENABLED Up /\ OnlyY /\ UNCHANGED x
    \/ ~ENABLED Up /\ x' = 0 /\ y' = 0

Facts ==
    /\ ENABLED Up <=> x < 3
    /\ ENABLED Pick
    /\ ~ENABLED Never
    /\ ENABLED OnlyY
    /\ ENABLED Both <=> ENABLED Up
    /\ ENABLED (Up \/ Never) <=> x < 3
    /\ ENABLED Bind <=> x < 2
    /\ ENABLED <<Up>>_x <=> x < 3
    /\ ~ENABLED <<x' = x>>_x
    /\ ENABLED [Never]_x
    /\ ENABLED (x' = 1 /\ y' = x' + 1 /\ y' = 2)
    /\ ENABLED (IF x = 0 THEN x' = 5 ELSE y' = 5)
    /\ ENABLED UNCHANGED <<x, y>>
    /\ ENABLED (x > 1) <=> x > 1
    /\ ENABLED Next
=============================================================================
