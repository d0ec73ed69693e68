---- MODULE M ----
a == A!B!lab(x) :: x
b == 1 :: x
c == a * lab :: b + c
====
