------------------------- MODULE AssignedByOperator -------------------------
(* An operator that is applied to the variable names no variable on the    *)
(* left side.                                                              *)
EXTENDS Integers

VARIABLE x

Same(v) == v

Init == x = 1
Next == Same(x') = x + 1
=============================================================================
