---- MODULE M ----
F(Op(_), G(_, _), x) == Op(x)
H(_ \oplus _, -._, _^*, x) == x
====
