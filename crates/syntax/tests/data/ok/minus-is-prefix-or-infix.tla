---- MODULE M ----
a == -1
b == x - 1
c == x - -1
d == -x + y
e == -x * y
f == x * -y
g == - - x
h == x-1
i == -(1, 2)
j == f[-1]
====
