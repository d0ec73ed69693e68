---- MODULE AtOutsideExcept ----
A == @
f == <<1>>
B == [f EXCEPT ![@] = 1]
C == [@ EXCEPT ![1] = 2]
====
