--------------------------- MODULE UnsetRegister ----------------------------
(* A register that was never set.                                            *)
EXTENDS Integers, TLC

VARIABLE x

Init == x = 0
Next == x' = IF x < 2 THEN x + 1 ELSE TLCGet(17)
=============================================================================
