---- MODULE M ----
a == LET b == (1
         c == 2
         d == 3
     IN  b + c
e == 4 +
====
