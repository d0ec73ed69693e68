-------------------------- MODULE ReplacedByItself --------------------------
(* A constant is replaced by a definition that uses it.                      *)
EXTENDS Naturals

CONSTANT Size
VARIABLE x

More == Size + 1
Init == x = 0
Next == x < Size /\ x' = x + 1
=============================================================================
