-------------------------- MODULE OverrideElsewhere -------------------------
(* A definition of the root module that is replaced is replaced for          *)
(* everyone, the extended modules included; so is one of a standard module.  *)
EXTENDS Naturals, UsesNaturals

VARIABLE x

Tiny == 0..3

ASSUME Nat = Tiny
ASSUME Numbers = Tiny
ASSUME IsNumber(3) /\ ~IsNumber(4)

Init == x \in Numbers
Next == IsNumber(x + 1) /\ x' = x + 1
Bound == x \in Nat
=============================================================================
