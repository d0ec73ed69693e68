------------------------------- MODULE Symmetric ----------------------------
(* Temporal properties with permutations taken for one.                      *)
EXTENDS TLC
CONSTANT P
VARIABLES at, done
vars == <<at, done>>
Perms == Permutations(P)
Init == at \in P /\ done = {}
Pass == \E p \in P \ {at} : at' = p /\ UNCHANGED done
Finish == at \notin done /\ done' = done \cup {at} /\ UNCHANGED at
Next == Pass \/ Finish
Fair == Init /\ [][Next]_vars /\ WF_vars(Pass) /\ SF_vars(Finish)
Lazy == Init /\ [][Next]_vars /\ WF_vars(Pass)
SomeDone == <>(done # {})
=============================================================================
