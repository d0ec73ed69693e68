---- MODULE StandardNotExtended ----
EXTENDS Naturals
A == Len(<<1>>)
B == <<1>> \o <<2>>
C == ("a" :> 1)
D == -1
E == 1 .. 2
====
