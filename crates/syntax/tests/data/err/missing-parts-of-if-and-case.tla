---- MODULE M ----
a == IF x y ELSE z
b == IF x THEN y
c == CASE x [] y -> z
d == CASE x -> y [] OTHER
e == LET x == 1 y
f == LET IN x
====
