---- MODULE M ----
a == x'
b == f[1]'
c == f'[1].g'
d == x^+ + y^* - z^#
e == -x'
f == r.a.b[1][2].c
g == (x + y)'
h == UNCHANGED f[1]
====
