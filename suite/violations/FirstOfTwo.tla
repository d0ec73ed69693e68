------------------------------- MODULE FirstOfTwo ---------------------------
(* One state violates two invariants: the first in the configuration is the  *)
(* one that is named.                                                        *)
EXTENDS Naturals

VARIABLE x

Init == x = 0
Next == x' = x + 1
Alpha == x < 3
Beta == x # 3
=============================================================================
