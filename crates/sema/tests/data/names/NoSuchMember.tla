---- MODULE NoSuchMember ----
---- MODULE M ----
CONSTANT c
VARIABLE v
LOCAL Hidden == 1
Opener == 1
====
VARIABLE v
I == INSTANCE M WITH c <- 1
A == I!Hidden
B == I!c
C == I!v
D == I!Openr
E == I!Zork
F == I!Zork!More
====
