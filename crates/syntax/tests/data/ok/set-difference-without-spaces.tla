---- MODULE M ----
a == S\T
b == S \T
c == S\{1}
d == x \inS
====
