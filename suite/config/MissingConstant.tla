-------------------------- MODULE MissingConstant ---------------------------
(* A constant without a value.                                               *)
EXTENDS Integers

CONSTANTS N, M
VARIABLE x

Init == x = N
Next == x' = M
=============================================================================
