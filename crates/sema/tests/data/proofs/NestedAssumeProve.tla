---- MODULE NestedAssumeProve ----
THEOREM T ==
  ASSUME NEW CONSTANT c, NEW VARIABLE v, NEW STATE s, NEW ACTION a, NEW TEMPORAL t, NEW F(_),
         lab :: ASSUME F(c) PROVE v = s,
         ASSUME NEW k \in {c} PROVE F(k)
  PROVE  F(c)
THEOREM U == ASSUME TRUE, 1 = 1 PROVE 2 = 2
THEOREM V == U!1 /\ U!3 BY U!2
====
