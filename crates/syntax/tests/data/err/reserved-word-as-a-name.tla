---- MODULE M ----
IF == 1
a(THEN) == 2
VARIABLES x, ELSE
CONSTANT TRUE
b == \E IN \in S : p
c == LET UNION == 1 IN 2
STRING == 3
====
