-------------------------- MODULE ReadsThroughInner -------------------------
(* For ReadsThrough to instantiate.                                          *)
EXTENDS Naturals

CONSTANT c
VARIABLE v

Small == v + c < 4
CanGrow == ENABLED (v' = v + 1 /\ v + c < 4)
=============================================================================
