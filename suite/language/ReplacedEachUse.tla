--------------------------- MODULE ReplacedEachUse --------------------------
(* A constant that the configuration replaces by a definition is evaluated   *)
(* at each use; the definition itself, as every constant one, once.          *)
EXTENDS Naturals, TLC

CONSTANT Size
VARIABLE x

ThreeAloud == Print("evaluated", 3)

Init == x = Size
Next == x < Size + 2 /\ x' = x + 1
Bound == x <= Size + 2
=============================================================================
