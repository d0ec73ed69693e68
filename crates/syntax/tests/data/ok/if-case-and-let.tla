---- MODULE M ----
a == IF p THEN 1 ELSE IF q THEN 2 ELSE 3
b == CASE p -> 1 [] q -> 2 [] OTHER -> 3
c == CASE p -> CASE q -> 1 [] r -> 2
d == LET x == 1 F(y) == y f[z \in S] == z a + b == 3 IN x
e == LET I == INSTANCE M IN I!x
f == x + IF p THEN 1 ELSE 2 + 3
g == CASE p -> []q [] r -> s
====
