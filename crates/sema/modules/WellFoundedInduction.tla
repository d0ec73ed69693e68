------------------------ MODULE WellFoundedInduction ------------------------
(* Well-founded relations, induction along them, and functions defined by    *)
(* recursion along them. Here a relation R is a set of pairs; <<x, y>> in R  *)
(* reads "x is below y". Statements only: cite them in proofs.               *)
EXTENDS NaturalsInduction

(* R is transitive on S. *)
IsTransitivelyClosedOn(R, S) ==
  \A x, y, z \in S : {<<x, y>>, <<y, z>>} \subseteq R => <<x, z>> \in R

(* R is well-founded on S: no infinite sequence of elements of S descends    *)
(* along R.                                                                  *)
IsWellFoundedOn(R, S) ==
  \A f \in [Nat -> S] : \E k \in Nat : <<f[k + 1], f[k]>> \notin R

(* The elements of S that are below x. *)
SetLessThan(x, R, S) == {y \in S : <<y, x>> \in R}

(* The empty relation is well-founded. *)
LEMMA EmptyIsWellFounded == \A S : IsWellFoundedOn({}, S)

(* A relation well-founded on a set is well-founded on its subsets. *)
LEMMA IsWellFoundedOnSubset ==
  ASSUME NEW S, NEW R, IsWellFoundedOn(R, S), NEW T \in SUBSET S
  PROVE  IsWellFoundedOn(R, T)

(* A relation contained in a well-founded one is well-founded. *)
LEMMA IsWellFoundedOnSubrelation ==
  ASSUME NEW S, NEW R, IsWellFoundedOn(R, S),
         NEW RR, (S \X S) \cap RR \subseteq R
  PROVE  IsWellFoundedOn(RR, S)

(* Non-empty sets have elements that are minimal for a well-founded relation. *)
THEOREM WFMin ==
  ASSUME NEW S, NEW R, IsWellFoundedOn(R, S),
         NEW T, T # {}, T \subseteq S
  PROVE  \E x \in T : \A y \in T : <<y, x>> \notin R

(* If all non-empty subsets have minimal elements, R is well-founded. *)
THEOREM MinWF ==
  ASSUME NEW S, NEW R,
         \A T \in SUBSET S :
           T # {} => \E x \in T : \A y \in T : <<y, x>> \notin R
  PROVE  IsWellFoundedOn(R, S)

(* Nothing is below itself in a well-founded relation. *)
LEMMA WellFoundedIsIrreflexive ==
  ASSUME NEW S, NEW R, IsWellFoundedOn(R, S), NEW x \in S
  PROVE  <<x, x>> \notin R

(* Two elements are never below each other in a well-founded relation. *)
LEMMA WellFoundedIsAsymmetric ==
  ASSUME NEW S, NEW R, IsWellFoundedOn(R, S), NEW x \in S, NEW y \in S,
         <<x, y>> \in R, <<y, x>> \in R
  PROVE  FALSE

(* The same in terms of SetLessThan. *)
LEMMA WFSetLessThanIrreflexive ==
  ASSUME NEW S, NEW R, IsWellFoundedOn(R, S), NEW x \in S
  PROVE  x \notin SetLessThan(x, R, S)

(* For a transitive relation, what is below y is below all x above y. *)
LEMMA SetLessTransitive ==
  ASSUME NEW S, NEW R, IsTransitivelyClosedOn(R, S),
         NEW x \in S, NEW y \in SetLessThan(x, R, S)
  PROVE  SetLessThan(y, R, S) \subseteq SetLessThan(x, R, S)

-----------------------------------------------------------------------------

(* Well-founded induction: P holds for an element if it does for all below.  *)
THEOREM WFInduction ==
  ASSUME NEW P(_), NEW S, NEW R, IsWellFoundedOn(R, S),
         \A x \in S : (\A y \in SetLessThan(x, R, S) : P(y)) => P(x)
  PROVE  \A x \in S : P(x)

(* Def(f, x) depends on the values of f at elements below x only. *)
WFDefOn(R, S, Def(_, _)) ==
  \A g, h : \A x \in S :
    (\A y \in SetLessThan(x, R, S) : g[y] = h[y]) => Def(g, x) = Def(h, x)

(* f is the function that the recursive definition f[x \in S] == Def(f, x)   *)
(* introduces.                                                               *)
OpDefinesFcn(f, S, Def(_, _)) == f = CHOOSE g : g = [x \in S |-> Def(g, x)]

(* f satisfies the equation of that definition. *)
WFInductiveDefines(f, S, Def(_, _)) == f = [x \in S |-> Def(f, x)]

(* The equation has at most one solution. *)
WFInductiveUnique(S, Def(_, _)) ==
  \A g : WFInductiveDefines(g, S, Def) =>
    \A h : WFInductiveDefines(h, S, Def) => g = h

(* Recursion along a well-founded relation has at most one solution. *)
THEOREM WFDefOnUnique ==
  ASSUME NEW S, NEW R, IsWellFoundedOn(R, S),
         NEW Def(_, _), WFDefOn(R, S, Def)
  PROVE  WFInductiveUnique(S, Def)

(* Recursion along a well-founded relation works, if it is transitive. *)
LEMMA WFInductiveDefLemma ==
  ASSUME NEW S, NEW R, IsWellFoundedOn(R, S), IsTransitivelyClosedOn(R, S),
         NEW Def(_, _), WFDefOn(R, S, Def),
         NEW f, OpDefinesFcn(f, S, Def)
  PROVE  WFInductiveDefines(f, S, Def)

-----------------------------------------------------------------------------

(* The pairs over S that are in every transitive relation containing R. *)
TransitiveClosureOn(R, S) ==
  {pair \in S \X S :
      \A U \in SUBSET (S \X S) :
        R \cap (S \X S) \subseteq U /\ IsTransitivelyClosedOn(U, S)
          => pair \in U}

(* The transitive closure is transitive and contains R. *)
LEMMA TransitiveClosureThm ==
  \A S, R : /\ (S \X S) \cap R \subseteq TransitiveClosureOn(R, S)
            /\ IsTransitivelyClosedOn(TransitiveClosureOn(R, S), S)

(* It is the least such relation. *)
LEMMA TransitiveClosureMinimal ==
  ASSUME NEW S, NEW R, NEW U \in SUBSET (S \X S),
         (S \X S) \cap R \subseteq U, IsTransitivelyClosedOn(U, S)
  PROVE  TransitiveClosureOn(R, S) \subseteq U

(* Two steps of the closure make a step of the closure. *)
LEMMA TCTCTC ==
  ASSUME NEW S, NEW R, NEW x \in S, NEW y \in S, NEW z \in S,
         <<x, y>> \in TransitiveClosureOn(R, S),
         <<y, z>> \in TransitiveClosureOn(R, S)
  PROVE  <<x, z>> \in TransitiveClosureOn(R, S)

(* A step of the closure and one of R make a step of the closure. *)
LEMMA TCRTC ==
  ASSUME NEW S, NEW R, NEW x \in S, NEW y \in S, NEW z \in S,
         <<x, y>> \in TransitiveClosureOn(R, S), <<y, z>> \in R
  PROVE  <<x, z>> \in TransitiveClosureOn(R, S)

(* A step of R and one of the closure make a step of the closure. *)
LEMMA RTCTC ==
  ASSUME NEW S, NEW R, NEW x \in S, NEW y \in S, NEW z \in S,
         <<x, y>> \in R, <<y, z>> \in TransitiveClosureOn(R, S)
  PROVE  <<x, z>> \in TransitiveClosureOn(R, S)

(* A step of the closure ends in a step of R. *)
LEMMA TransitiveClosureChopLast ==
  ASSUME NEW S, NEW R, NEW x \in S, NEW z \in S,
         <<x, z>> \in TransitiveClosureOn(R, S)
  PROVE  \E y \in S : /\ x = y \/ <<x, y>> \in TransitiveClosureOn(R, S)
                      /\ <<y, z>> \in R

(* The transitive closure of a well-founded relation is well-founded. *)
THEOREM TransitiveClosureWF ==
  ASSUME NEW S, NEW R, IsWellFoundedOn(R, S)
  PROVE  IsWellFoundedOn(TransitiveClosureOn(R, S), S)

(* Recursion along a well-founded relation works. *)
THEOREM WFInductiveDef ==
  ASSUME NEW S, NEW R, IsWellFoundedOn(R, S),
         NEW Def(_, _), WFDefOn(R, S, Def),
         NEW f, OpDefinesFcn(f, S, Def)
  PROVE  WFInductiveDefines(f, S, Def)

(* Its values are in T if each step stays in T. *)
THEOREM WFInductiveDefType ==
  ASSUME NEW S, NEW R, IsWellFoundedOn(R, S),
         NEW Def(_, _), WFDefOn(R, S, Def),
         NEW f, WFInductiveDefines(f, S, Def),
         NEW T, T # {},
         \A x \in S : \A g \in [S -> T] : Def(g, x) \in T
  PROVE  f \in [S -> T]

-----------------------------------------------------------------------------
(* Well-founded relations in common use *)

(* The relation that the operator \prec defines on S. *)
OpToRel(_\prec_, S) == {pair \in S \X S : pair[1] \prec pair[2]}

(* The naturals are well-founded by <. *)
THEOREM NatLessThanWellFounded == IsWellFoundedOn(OpToRel(<, Nat), Nat)

(* The pairs over S whose images under f are in R. *)
PreImage(f(_), S, R) == {pair \in S \X S : <<f(pair[1]), f(pair[2])>> \in R}

(* Such a relation is well-founded if R is: f is a "measure". *)
THEOREM PreImageWellFounded ==
  ASSUME NEW T, NEW R, IsWellFoundedOn(R, T),
         NEW S, NEW f(_), \A x \in S : f(x) \in T
  PROVE  IsWellFoundedOn(PreImage(f, S, R), S)

(* Pairs compared by their first components along R1, and if these are equal *)
(* by their second components along R2.                                      *)
LexPairOrdering(R1, R2, S1, S2) ==
  {pp \in (S1 \X S2) \X (S1 \X S2) :
      LET p == pp[1]
          q == pp[2]
      IN  \/ <<p[1], q[1]>> \in R1
          \/ p[1] = q[1] /\ <<p[2], q[2]>> \in R2}

(* This is well-founded if R1 and R2 are. *)
THEOREM WFLexPairOrdering ==
  ASSUME NEW S1, NEW R1, IsWellFoundedOn(R1, S1),
         NEW S2, NEW R2, IsWellFoundedOn(R2, S2)
  PROVE  IsWellFoundedOn(LexPairOrdering(R1, R2, S1, S2), S1 \X S2)

(* n-tuples over S compared along R at the first position at which they      *)
(* differ.                                                                   *)
LexProductOrdering(R, S, n) ==
  {pp \in [1..n -> S] \X [1..n -> S] :
      \E k \in 1..n : /\ <<pp[1][k], pp[2][k]>> \in R
                      /\ \A j \in 1..(k - 1) : pp[1][j] = pp[2][j]}

(* This is well-founded if R is. *)
THEOREM WFLexProductOrdering ==
  ASSUME NEW S, NEW R, IsWellFoundedOn(R, S), NEW n \in Nat
  PROVE  IsWellFoundedOn(LexProductOrdering(R, S, n), [1..n -> S])
=============================================================================
