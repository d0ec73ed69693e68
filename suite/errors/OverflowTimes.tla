--------------------------- MODULE OverflowTimes ----------------------------
(* A product beyond 32 bits. TLC stops; here numbers have no end.            *)
EXTENDS Integers

VARIABLE x

Init == x = 1
Next == x' = IF x < 1000000 THEN x * 1000 ELSE (x * x) % 7
Small == x < 1000001
=============================================================================
