------------------------------ MODULE Integers ------------------------------
(* Everything in Naturals, plus the set of all integers and negation.        *)
EXTENDS Naturals

(* The set of all integers. Infinite: it can be tested for membership but    *)
(* not enumerated.                                                           *)
Int == NATIVE

(* Negation, written as a prefix minus. *)
-. a == NATIVE
=============================================================================
