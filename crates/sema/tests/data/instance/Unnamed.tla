---- MODULE Unnamed ----
---- MODULE Inner ----
CONSTANT c
Get == c
====
---- MODULE Middle ----
CONSTANT d
INSTANCE Inner WITH c <- <<d>>
J == INSTANCE Inner WITH c <- {d}
Via == Get
LOCAL Hidden == d
====
INSTANCE Middle WITH d <- 1
A == <<Get, Via, J!Get>>
====
