---- MODULE Shadowless ----
\* Names in different branches do not meet.
Op(a, F(_)) ==
  /\ \E b \in a : F(b)
  /\ \A b \in a : LET c == b IN F(c)
  /\ LET c == a IN c = {d \in c : \E e \in c : e = d}
  /\ [b \in a |-> LET d == b IN d] = [c \in a |-> c]
Lam(G(_, _)) == G(1, 2)
Use == Lam(LAMBDA p, q : p = q) /\ Lam(LAMBDA q, p : p = q)
====
