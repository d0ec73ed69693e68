------------------------- MODULE NaturalsInduction --------------------------
(* Induction over the natural numbers, and functions defined by recursion    *)
(* over them. Statements only: cite them in proofs.                          *)
EXTENDS Integers

(* Induction: P holds for 0 and is passed on to the next number. *)
THEOREM NatInduction ==
  ASSUME NEW P(_),
         P(0),
         \A k \in Nat : P(k) => P(k + 1)
  PROVE  \A k \in Nat : P(k)

(* Induction downwards from some number to 0. *)
THEOREM DownwardNatInduction ==
  ASSUME NEW P(_), NEW top \in Nat,
         P(top),
         \A k \in 1..top : P(k) => P(k - 1)
  PROVE  P(0)

(* Course-of-values induction: P holds for a number if it does for all       *)
(* smaller ones.                                                             *)
THEOREM GeneralNatInduction ==
  ASSUME NEW P(_),
         \A k \in Nat : (\A j \in 0..(k - 1) : P(j)) => P(k)
  PROVE  \A k \in Nat : P(k)

(* If P holds for some number, there is a least number for which it holds. *)
THEOREM SmallestNatural ==
  ASSUME NEW P(_), NEW k \in Nat, P(k)
  PROVE  \E least \in Nat : P(least) /\ \A j \in 0..(least - 1) : ~ P(j)

-----------------------------------------------------------------------------

(* A recursive definition of a function on Nat is satisfied by the function  *)
(* it defines, if each value depends on the values at smaller numbers only.  *)
THEOREM RecursiveFcnOfNat ==
  ASSUME NEW Def(_, _),
         ASSUME NEW k \in Nat, NEW g, NEW h,
                \A j \in 0..(k - 1) : g[j] = h[j]
         PROVE  Def(g, k) = Def(h, k)
  PROVE  LET f[k \in Nat] == Def(f, k)
         IN  f = [k \in Nat |-> Def(f, k)]

(* f is defined by primitive recursion: f0 at 0, and Def of the previous     *)
(* value and the argument elsewhere.                                         *)
NatInductiveDefHypothesis(f, f0, Def(_, _)) ==
  f = CHOOSE g : g = [k \in Nat |-> IF k = 0 THEN f0 ELSE Def(g[k - 1], k)]

(* f satisfies the equation of such a definition. *)
NatInductiveDefConclusion(f, f0, Def(_, _)) ==
  f = [k \in Nat |-> IF k = 0 THEN f0 ELSE Def(f[k - 1], k)]

(* Definitions by primitive recursion are satisfied. *)
THEOREM NatInductiveDef ==
  ASSUME NEW Def(_, _), NEW f0, NEW f,
         NatInductiveDefHypothesis(f, f0, Def)
  PROVE  NatInductiveDefConclusion(f, f0, Def)

(* The values of a recursive function are in S if each step stays in S. *)
THEOREM RecursiveFcnOfNatType ==
  ASSUME NEW Def(_, _), NEW S, NEW f,
         f = [k \in Nat |-> Def(f, k)],
         ASSUME NEW k \in Nat, NEW g, \A j \in 0..(k - 1) : g[j] \in S
         PROVE  Def(g, k) \in S
  PROVE  f \in [Nat -> S]

(* The same for primitive recursion. *)
THEOREM NatInductiveDefType ==
  ASSUME NEW Def(_, _), NEW S, NEW f0 \in S, NEW f,
         NatInductiveDefConclusion(f, f0, Def),
         \A v \in S : \A k \in Nat \ {0} : Def(v, k) \in S
  PROVE  f \in [Nat -> S]

(* A recursive definition has only one solution. *)
THEOREM RecursiveFcnOfNatUnique ==
  ASSUME NEW Def(_, _), NEW f, NEW g,
         f = [k \in Nat |-> Def(f, k)],
         g = [k \in Nat |-> Def(g, k)],
         ASSUME NEW k \in Nat, NEW u, NEW v,
                \A j \in 0..(k - 1) : u[j] = v[j]
         PROVE  Def(u, k) = Def(v, k)
  PROVE  f = g

(* A primitive recursive definition has only one solution. *)
THEOREM NatInductiveUnique ==
  ASSUME NEW Def(_, _), NEW f0, NEW f, NEW g,
         NatInductiveDefConclusion(f, f0, Def),
         NatInductiveDefConclusion(g, f0, Def)
  PROVE  f = g

-----------------------------------------------------------------------------

(* f is defined on the interval m..n by recursion: c at m, and Def of the    *)
(* previous value and the argument elsewhere.                                *)
FiniteNatInductiveDefHypothesis(f, c, Def(_, _), m, n) ==
  f = CHOOSE g : g = [k \in m..n |-> IF k = m THEN c ELSE Def(g[k - 1], k)]

(* f satisfies the equation of such a definition. *)
FiniteNatInductiveDefConclusion(f, c, Def(_, _), m, n) ==
  f = [k \in m..n |-> IF k = m THEN c ELSE Def(f[k - 1], k)]

(* Definitions by recursion over an interval are satisfied. *)
THEOREM FiniteNatInductiveDef ==
  ASSUME NEW Def(_, _), NEW m \in Nat, NEW n \in Nat, NEW c, NEW f,
         FiniteNatInductiveDefHypothesis(f, c, Def, m, n)
  PROVE  FiniteNatInductiveDefConclusion(f, c, Def, m, n)

(* Their values are in S if each step stays in S. *)
THEOREM FiniteNatInductiveDefType ==
  ASSUME NEW Def(_, _), NEW m \in Nat, NEW n \in Nat,
         NEW S, NEW c \in S, NEW f,
         FiniteNatInductiveDefConclusion(f, c, Def, m, n),
         \A v \in S : \A k \in (m + 1)..n : Def(v, k) \in S
  PROVE  f \in [m..n -> S]

(* They have only one solution. *)
THEOREM FiniteNatInductiveUnique ==
  ASSUME NEW Def(_, _), NEW m \in Nat, NEW n \in Nat, NEW c, NEW f, NEW g,
         FiniteNatInductiveDefConclusion(f, c, Def, m, n),
         FiniteNatInductiveDefConclusion(g, c, Def, m, n)
  PROVE  f = g
=============================================================================
