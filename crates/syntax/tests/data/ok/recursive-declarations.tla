---- MODULE M ----
RECURSIVE F(_), g, _ \oplus _
F(n) == IF n = 0 THEN 0 ELSE F(n - 1)
Let == LET RECURSIVE H(_)
           H(n) == H(n)
       IN  H(1)
====
