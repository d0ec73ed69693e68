---- MODULE OperatorParameters ----
RECURSIVE F(_, _)
F(G(_), x) == IF x THEN G(x) ELSE F(G, TRUE)
====
