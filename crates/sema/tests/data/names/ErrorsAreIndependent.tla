---- MODULE ErrorsAreIndependent ----
F(x, y) == x
\* A wrong number of arguments does not hide what is wrong inside them.
A == F(Unknown1)
B == F(Unknown2, Unknown3, Unknown4)
C == Unknown5(Unknown6)
G(Op(_), z) == Op(z)
D == G(1, Unknown7)
E == I!Op(Unknown8)
====
