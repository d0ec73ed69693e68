--------------------------- MODULE DyadicRationals --------------------------
(* Non-negative fractions whose denominator is a power of two, represented   *)
(* as records with the fields num and den and kept in lowest terms.          *)
LOCAL INSTANCE Integers
LOCAL INSTANCE Sequences
LOCAL INSTANCE TLC

(* p in lowest terms. *)
LOCAL Reduce(p) ==
  LET gcd[a \in Nat, b \in Nat] == IF b = 0 THEN a ELSE gcd[b, a % b]
      g == gcd[p.num, p.den]
  IN  [num |-> p.num \div g, den |-> p.den \div g]

(* The fraction n/d in lowest terms. *)
LOCAL Fraction(n, d) == Reduce([num |-> n, den |-> d])

(* TRUE iff the denominator of r is a power of two. *)
IsDyadicRational(r) ==
  LET power[d \in Nat] == d = 1 \/ (d > 1 /\ d % 2 = 0 /\ power[d \div 2])
  IN  power[r.den]

(* The number 0. *)
Zero == Fraction(0, 1)

(* The number 1. *)
One == Fraction(1, 1)

(* The sum of p and q. *)
Add(p, q) ==
  LET d == IF p.den > q.den THEN p.den ELSE q.den
  IN  IF p = Zero
      THEN q
      ELSE Fraction((p.num * (d \div p.den)) + (q.num * (d \div q.den)), d)

(* Half of p. *)
Half(p) == Fraction(p.num, 2 * p.den)

(* p as text: "0", "1", or numerator and denominator with a slash between.   *)
PrettyPrint(p) ==
  CASE p = Zero           -> "0"
    [] p = One            -> "1"
    [] p \notin {Zero, One} -> ToString(p.num) \o "/" \o ToString(p.den)
=============================================================================
