-------------------------- MODULE TypedModelValues --------------------------
(* Model values of one letter and an underscore belong together and may be   *)
(* compared with each other and with untyped ones; a name of two characters  *)
(* has no type.                                                              *)
EXTENDS Naturals, FiniteSets

CONSTANTS Apples, Pears, Plain, Short
VARIABLE basket

ASSUME Cardinality(Apples) = 2
ASSUME \A a \in Apples : a # Plain /\ Plain # a
ASSUME \A p \in Pears : p \in Pears /\ p # Plain
ASSUME Short # 1 /\ Short # "A_" /\ Short \notin Apples
ASSUME Plain # 3 /\ Plain \notin Nat

Init == basket = {}
Next == \E a \in Apples : basket' = IF a \in basket THEN basket \ {a} ELSE basket \cup {a}
OnlyApples == basket \subseteq Apples
=============================================================================
