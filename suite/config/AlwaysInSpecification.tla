----------------------- MODULE AlwaysInSpecification ------------------------
(* []P is no part of a specification.                                        *)
EXTENDS Integers

VARIABLES x, y

Init == x = 0 /\ y = 0
Next == x' = (x + 1) % 3 /\ y' = x
Range == x \in 0..2
Spec == Init /\ [](x < 5) /\ [][Next]_<<x, y>>
=============================================================================
