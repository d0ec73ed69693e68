---- MODULE M ----
a == {1, 2, }
b == <<1, >>
c == F(1, )
VARIABLES x,
d == 4
====
