---------------------------- MODULE Combinatorics ---------------------------
(* Factorials and binomial coefficients. *)
EXTENDS Naturals

(* factorial[n] is the product 1 * 2 * ... * n; factorial[0] is 1. *)
factorial[n \in Nat] == IF n = 0 THEN 1 ELSE factorial[n - 1] * n

(* The number of k-element subsets of a set of n elements, 0 \leq k \leq n.  *)
choose(n, k) ==
  LET row[i \in 0..k] ==
        IF i = 0 THEN 1 ELSE (row[i - 1] * ((n - k) + i)) \div i
  IN  row[k]
=============================================================================
