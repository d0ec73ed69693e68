-------------------------- MODULE EnabledNeedsAll ---------------------------
(* ENABLED <<A>>_v needs a next value for everything in v.                   *)
EXTENDS Integers

VARIABLES x, y

Init == x = 0 /\ y = 0
Up == x' = x + 1
Next == Up /\ y' = y /\ x < 3
CanMove == ENABLED <<Up>>_<<x, y>>
=============================================================================
