-------------------------------- MODULE Reals -------------------------------
(* Everything in Integers, plus the real numbers. Only the integer part can  *)
(* be evaluated: a specification that computes with / or enumerates Real is  *)
(* for proofs and reading.                                                   *)
EXTENDS Integers

(* The set of all real numbers. *)
Real == NATIVE

(* The real number that gives a when multiplied by b. No value if b is 0.    *)
a / b == NATIVE

(* Something that is not a real number and is greater than all of them.      *)
Infinity == NATIVE
=============================================================================
