---- MODULE OfInstance ----
---- MODULE Inner ----
CONSTANT c
Get(x) == <<c, x>>
====
---- MODULE Middle ----
CONSTANT d
J == INSTANCE Inner WITH c <- <<d>>
K(e) == INSTANCE Inner WITH c <- <<d, e>>
Via == J!Get(0)
ViaK(y) == K(y)!Get(1)
====
I == INSTANCE Middle WITH d <- 1
L(f) == INSTANCE Middle WITH d <- f
A == I!J!Get(2)
B == I!K(3)!Get(4)
C == L(5)!K(6)!Get(7)
D == I!Via
E == L(8)!ViaK(9)
====
