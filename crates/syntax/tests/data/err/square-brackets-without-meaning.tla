---- MODULE M ----
a == [x]
b == [x, y]
c == [x |-> 1, y]
d == [f EXCEPT x = 1]
e == [f EXCEPT !x = 1]
f == [x : S, y]
g == f[]
====
