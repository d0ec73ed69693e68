----------------------------- MODULE Statistics -----------------------------
(* Statistical tests on counts gathered by the specification. *)
EXTENDS Naturals

(* Chi-square goodness-of-fit test. TRUE iff, at significance level alpha (a *)
(* string such as "0.01"), the counts in actual do not contradict those in   *)
(* expected. Both are functions from categories to counts.                   *)
ChiSquare(expected, actual, alpha) == NATIVE
=============================================================================
