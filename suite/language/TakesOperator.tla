---------------------------- MODULE TakesOperator ---------------------------
(* To be instantiated with operators.                                        *)
CONSTANTS Op(_), Mix(_, _)
Applied(v) == Op(v)
Mixed == Mix(1, 1)
=============================================================================
