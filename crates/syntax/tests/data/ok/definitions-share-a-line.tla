---- MODULE M ----
a == 1 b == 2 F(x) == x c + d == 3 e^+ == 4 -. f == 5
====
