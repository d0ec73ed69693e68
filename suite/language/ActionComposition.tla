-------------------------- MODULE ActionComposition -------------------------
(* A \cdot B is one step: an A step and then a B step. The state in between  *)
(* is counted as generated, and nothing else: it is not stored, not checked  *)
(* and not held to constraints.                                              *)
EXTENDS Naturals, TLC

\* Specs ask whether it is switched on.
ASSUME TLCGet("-Dtlc2.tool.impl.Tool.cdot") = "true"

VARIABLES x, seen

Add(k) == x' = x + k /\ UNCHANGED seen
Halve == x % 2 = 0 /\ x' = x \div 2 /\ seen' = seen \cup {x}
Choose == x' \in {1, 2, 3} /\ UNCHANGED seen

Init == x = 0 /\ seen = {}
Next ==
    \/ x < 4 /\ (Add(10) \cdot Halve)
    \/ x = 5 /\ (Choose \cdot Choose)
    \/ x \in 1..3 /\ ((Add(1) \cdot Add(1)) \cdot Add(1))
\* x is never 10 in a state, only in between.
NotTen == x # 10 /\ x < 10
=============================================================================
