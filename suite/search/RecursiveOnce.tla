---- MODULE RecursiveOnce ----
\* Recursive functions whose bodies apply them twice, and read the next state: a value that was computed on one branch must
\* not be used on another, nor inside ENABLED.
EXTENDS Integers, TLC
VARIABLES x, y, z

Init == x = 0 /\ y = 0 /\ z = 0

Total(n) ==
    LET F[i \in 0..n] ==
            IF i = 0 THEN x' ELSE F[i - 1] + F[i - 1] - (IF Assert(x' >= 0, "negative") THEN y ELSE 0)
    IN F[n]

At(f, n) == f[n]

CanGrow(n) ==
    LET G[i \in 0..n] ==
            IF i = 0 THEN (IF ENABLED (x' = x + 1 /\ x' < 3 /\ UNCHANGED <<y, z>>) THEN 1 ELSE 0)
            ELSE G[i - 1] + G[i - 1]
    IN G[n]

Choose ==
    LET F[i \in 0..3] == IF i = 0 THEN x' + y' ELSE F[i - 1] + F[i - 1]
    IN \E v \in 0..2, w \in {0, 4} :
        /\ x' = v
        /\ y' = w
        /\ z' = At(F, 2) + F[1]

Next ==
    \/ /\ \/ x' = (x + 1) % 4
          \/ x' = (x + 2) % 3
       /\ y' = (Total(3) % 7) + 0
       /\ z' = CanGrow(3)
    \/ Choose

Small == x \in 0..3 /\ y \in 0..6 /\ z \in 0..36
====
