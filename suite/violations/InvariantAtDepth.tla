--------------------------- MODULE InvariantAtDepth -------------------------
(* A puzzle as an invariant: two jugs, and four litres are wanted. The trace *)
(* is as short as any solution.                                              *)
EXTENDS Naturals

VARIABLES big, small

Least(a, b) == IF a < b THEN a ELSE b

Init == big = 0 /\ small = 0
FillBig == big' = 5 /\ small' = small
FillSmall == small' = 3 /\ big' = big
EmptyBig == big' = 0 /\ small' = small
EmptySmall == small' = 0 /\ big' = big
BigToSmall == LET k == Least(big, 3 - small) IN big' = big - k /\ small' = small + k
SmallToBig == LET k == Least(small, 5 - big) IN big' = big + k /\ small' = small - k
Next == FillBig \/ FillSmall \/ EmptyBig \/ EmptySmall \/ BigToSmall \/ SmallToBig

Typed == big \in 0..5 /\ small \in 0..3
NotFour == big # 4
=============================================================================
