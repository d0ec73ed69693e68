----------------------- MODULE ActionConstraintFails ------------------------
(* An action constraint that has no value for a step.                        *)
EXTENDS Naturals

VARIABLE x

Init == x = 0
Next == x < 3 /\ x' = x + 1
Fine == <<TRUE, TRUE>>[x']
=============================================================================
