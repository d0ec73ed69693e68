-------------------------------- MODULE Bags --------------------------------
(* Bags (multisets): collections in which an element may occur several       *)
(* times. A bag is a function that maps each of its elements to the number   *)
(* of copies it holds, a positive natural number.                            *)
EXTENDS TLC
LOCAL INSTANCE Naturals

(* The sum of f[x] over all x in the (finite) domain of f. *)
LOCAL Total(f) ==
  LET over[D \in SUBSET DOMAIN f] ==
        IF D = {}
        THEN 0
        ELSE LET x == CHOOSE x \in D : TRUE
             IN  over[D \ {x}] + f[x]
  IN  over[DOMAIN f]

(* TRUE iff B is a bag. Simply FALSE for a value that is not a function.     *)
IsABag(B) == B \in [DOMAIN B -> Nat \ {0}]

(* The set of elements that have at least one copy in B. *)
BagToSet(B) == DOMAIN B

(* The bag with exactly one copy of each element of the set S. *)
SetToBag(S) == [x \in S |-> 1]

(* Membership: TRUE iff B has at least one copy of e. *)
BagIn(e, B) == e \in DOMAIN B

(* The bag without elements. *)
EmptyBag == SetToBag({})

(* How many copies of e are in B; 0 if there are none. *)
CopiesIn(e, B) == IF e \in DOMAIN B THEN B[e] ELSE 0

(* Bag union: the copies of B1 and those of B2 together. *)
B1 (+) B2 ==
  [x \in DOMAIN B1 \cup DOMAIN B2 |-> CopiesIn(x, B1) + CopiesIn(x, B2)]

(* Bag difference: each copy in B2 takes one copy away from B1. Elements     *)
(* that have no copy left disappear.                                         *)
B1 (-) B2 ==
  [x \in {y \in DOMAIN B1 : B1[y] > CopiesIn(y, B2)} |->
      B1[x] - CopiesIn(x, B2)]

(* The bag union of all bags in the finite set S. *)
BagUnion(S) ==
  [x \in UNION {DOMAIN B : B \in S} |-> Total([B \in S |-> CopiesIn(x, B)])]

(* TRUE iff B2 has at least as many copies of every element as B1.           *)
B1 \sqsubseteq B2 ==
  \A x \in DOMAIN B1 : x \in DOMAIN B2 /\ B1[x] \leq B2[x]

(* The set of all bags B2 with B2 \sqsubseteq B.                             *)
SubBag(B) ==
  LET below[D \in SUBSET DOMAIN B] ==
        IF D = {}
        THEN {EmptyBag}
        ELSE LET x    == CHOOSE x \in D : TRUE
                 rest == below[D \ {x}]
             IN  rest \cup {b @@ (x :> n) : b \in rest, n \in 1..B[x]}
  IN  below[DOMAIN B]

(* The image of B under F: every copy of an element x becomes a copy of      *)
(* F(x), so elements with the same image add up.                             *)
BagOfAll(F(_), B) ==
  [y \in {F(x) : x \in DOMAIN B} |->
      Total([x \in {z \in DOMAIN B : F(z) = y} |-> B[x]])]

(* The total number of copies in B. *)
BagCardinality(B) == Total(B)
=============================================================================
