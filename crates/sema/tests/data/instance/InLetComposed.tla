---- MODULE InLetComposed ----
---- MODULE Inner ----
CONSTANT c
Get == <<c>>
====
---- MODULE Middle ----
CONSTANT d
J == INSTANCE Inner WITH c <- {d}
K(k) == INSTANCE Inner WITH c <- <<d, k>>
====
---- MODULE User ----
CONSTANT e
F(x) == LET I == INSTANCE Middle WITH d <- <<x, e>> IN <<I!J!Get, I!K(x)!Get>>
====
U == INSTANCE User WITH e <- 7
A == U!F(8)
====
