----------------------- MODULE DifferentialEquations ------------------------
(* Initial value problems of ordinary differential equations, for hybrid     *)
(* systems. For proofs and reading: nothing here can be evaluated.           *)
LOCAL INSTANCE Reals
LOCAL INSTANCE Sequences

(* The positive real numbers. *)
LOCAL Positive == {r \in Real : 0 < r}

(* The real numbers strictly between lo and hi. *)
LOCAL Open(lo, hi) == {r \in Real : lo < r /\ r < hi}

(* TRUE iff df is the derivative of the real function f. *)
LOCAL Derives(df, f) ==
  /\ df \in [DOMAIN f -> Real]
  /\ \A r \in DOMAIN f : \A eps \in Positive :
       \E del \in Positive :
         \A s \in Open(r - del, r + del) \ {r} :
           (f[s] - f[r]) / (s - r) \in Open(df[r] - eps, df[r] + eps)

(* The values at b of f and of its first n-1 derivatives, where n is the     *)
(* length of InitVals, InitVals gives the same values at a, and f satisfies  *)
(* the equation  D[<<r, f[r], f'[r], ..., n-th derivative at r>>] = 0        *)
(* for all r in an interval around a and b.                                  *)
Integrate(D, a, b, InitVals) ==
  LET n == Len(InitVals)
      Solves(g, I) ==
        /\ g \in [0..n -> [I -> Real]]
        /\ \A k \in 1..n : Derives(g[k], g[k - 1]) /\ g[k - 1][a] = InitVals[k]
        /\ \A r \in I : D[<<r>> \o [k \in 1..(n + 1) |-> g[k - 1][r]]] = 0
      solution == CHOOSE g : \E e \in Positive : Solves(g, Open(a - e, b + e))
  IN  [k \in 1..n |-> solution[k - 1][b]]
=============================================================================
