---------------------------- MODULE UnassignedTrace -------------------------
(* The step to a state that is not complete: the trace ends with it, and     *)
(* says which variable is missing.                                           *)
EXTENDS Naturals

VARIABLES x, y, z

Init == x = 0 /\ y = "a" /\ z = {}
Fine == x < 1 /\ x' = x + 1 /\ UNCHANGED <<y, z>>
Forgets == x = 1 /\ x' = 2 /\ z' = {x}
Next == Fine \/ Forgets
=============================================================================
