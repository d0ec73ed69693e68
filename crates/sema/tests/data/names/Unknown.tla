---- MODULE Unknown ----
EXTENDS Naturals, Sequences
VARIABLES msgs, acks
\* Each unknown name is reported once a module, where it is first used.
A == Lenn(msgs)
B == Lenn(acks) + Cardinalty(msgs)
C == mgss = msg
D(x) == /\ x > Zork
        /\ \E y \in Zork : Zork = y
====
