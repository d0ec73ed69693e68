---- MODULE M ----
a == 1 +
b == 2
c == * 3
VARIABLE 4
d == IF x THEN y
ASSUME
e == 5
====
