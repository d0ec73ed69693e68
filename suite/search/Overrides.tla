------------------------------ MODULE Overrides -----------------------------
(* A configuration may put a definition in place of a constant, of another   *)
(* definition, and of an operator of a standard module; a plain value may    *)
(* take the place of a definition. Every use sees the replacement.           *)
EXTENDS Naturals, Sequences, FiniteSets

CONSTANTS Limit, Start, Other
VARIABLE x

Height == 100
Step(k) == k + 1
SlowStep(k) == k + 2
SmallNat == 0..6
ThreeLong(S) == UNION {[1..n -> S] : n \in 0..2}
ComputedLimit == 3 * 2
Indirect == Step(0)

ASSUME Nat = 0..6
ASSUME Seq({1}) = {<<>>, <<1>>, <<1, 1>>}
ASSUME Height = 9
ASSUME Step(1) = 3 /\ Indirect = 2
ASSUME Limit = 6 /\ Other = 2

Init == x \in {n \in Nat : n < Start}
Next == x < Limit /\ x' = Step(x)
Bound == x \in Nat \cup {7}
=============================================================================
