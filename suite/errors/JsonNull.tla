------------------------------ MODULE JsonNull ------------------------------
(* A file in JSON with null in it cannot be read.                            *)
EXTENDS Integers, Json

VARIABLE x

Init == x = 0
Next == x' = IF x < 2 THEN x + 1 ELSE JsonDeserialize("JsonNull.json").a
=============================================================================
