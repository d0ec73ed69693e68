---------------------------- MODULE DomainOfSet -----------------------------
(* A set has no domain.                                                      *)
EXTENDS Integers, Sequences, FiniteSets

VARIABLE x

Init == x = 0
Next == x' = IF x < 2 THEN x + 1 ELSE IF DOMAIN {1} = {1} THEN 1 ELSE 0
=============================================================================
