-------------------------- MODULE NothingToLookUp ---------------------------
(* An operand that need not be looked at may be anything: the other one has   *)
(* no elements.                                                               *)
EXTENDS Integers

VARIABLE x

ASSUME {} \cap "no set" = {}
ASSUME "no set" \cap {} = {}
ASSUME (1..0) \cap 7 = {}
ASSUME {} \ "no set" = {}
ASSUME {} \subseteq 7
ASSUME {} \cup "no set" = "no set"
ASSUME "no set" \cup {} = "no set"

Init == x = {}
Next == x' = (x \cup {1}) \ (IF x = {} THEN {} ELSE x \cup {2})
=============================================================================
