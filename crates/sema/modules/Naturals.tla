------------------------------ MODULE Naturals ------------------------------
(* The natural numbers 0, 1, 2, ... and the usual arithmetic on them.        *)
(* The operators accept any integers, so Integers inherits them unchanged;   *)
(* applying one to something that is not a number is an evaluation error.    *)

(* The set of all natural numbers. Infinite: it can be tested for membership *)
(* but not enumerated.                                                       *)
Nat == NATIVE

(* Sum of a and b. *)
a + b == NATIVE

(* Difference: the number that gives a when b is added to it. May be         *)
(* negative even when a and b are naturals.                                  *)
a - b == NATIVE

(* Product of a and b. *)
a * b == NATIVE

(* a raised to the power b. b must not be negative, and 0^0 has no value.    *)
a ^ b == NATIVE

(* a is strictly smaller than b. *)
a < b == NATIVE

(* a is strictly greater than b. *)
a > b == NATIVE

(* a is at most b. Also written a =< b and a <= b. *)
a \leq b == NATIVE

(* a is at least b. Also written a >= b. *)
a \geq b == NATIVE

(* Remainder of a divided by b, always in 0..(b-1). b must be positive.      *)
a % b == NATIVE

(* Quotient rounded down, so that a = b * (a \div b) + (a % b). An error     *)
(* when b is 0.                                                              *)
a \div b == NATIVE

(* The integers from a up to b, both included. Empty when a > b.             *)
a .. b == NATIVE
=============================================================================
