---- MODULE Theorems ----
---- MODULE M ----
CONSTANT c
ASSUME Positive == c = c
THEOREM Thm == ASSUME NEW x \in {c} PROVE x = c
LEMMA Plain == c = c
====
I == INSTANCE M WITH c <- 1
THEOREM Main == I!Plain BY I!Positive, I!Thm, I!Plain
INSTANCE M WITH c <- 2
THEOREM Plain BY Positive, Thm
====
