---- MODULE M ----
THEOREM ASSUME a PROVE b
THEOREM Thm ==
  ASSUME NEW a, NEW b \in S, CONSTANT c, NEW CONSTANT d \in T, NEW e(_), NEW _ \prec _,
         VARIABLE f, NEW VARIABLE g, STATE h, NEW STATE i(_), ACTION j, TEMPORAL k,
         x > y,
         ASSUME l PROVE m,
         lab :: ASSUME n PROVE o,
         lab2 :: p
  PROVE  q
THEOREM []ASSUME a []PROVE b
====
