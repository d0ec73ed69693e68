-------------------------- MODULE ReplacedByItself --------------------------
(* What replaces a definition may use it, under the name that an instance of *)
(* its module gives it. Here Grown gets a bound.                             *)
EXTENDS SizedParts

VARIABLE x

BoundedGrown(n) ==
    LET Original == INSTANCE SizedParts
    IN IF n > 30 THEN n ELSE Original!Grown(n)

Init == x = 0
Next == x' = Grown(x) \/ x' = GrownTwice(x)
Range == x < 30 + 2 * Size
=============================================================================
