---- MODULE M ----
a == x /\
b == ~
c ==
d == F!
e == {1,
f == 5
VARIABLES y,
g == 7
====
