---- MODULE EveryWayToAssignIsSeen ----
EXTENDS Naturals, Sequences, TLC
VARIABLES x, y, z
inner == <<y, z>>
vars == <<x, inner>>
next == x'
Init == x = 0 /\ \E i \in {1} : y = i /\ z \subseteq {1}
Set(v, e) == v' = e
Is(p, e) == p = e
Apply(Op(_, _), v, e) == Op(v, e)
And(A, B) == A /\ B
Keep(v) == UNCHANGED v
ThroughDefinitions == next = 1 /\ UNCHANGED inner
ThroughParameters == Set(x, 1) /\ Is(y', 2) /\ Keep(z)
ThroughOperators == Apply(Set, x, 1) /\ Apply(LAMBDA v, e : v' \in {e}, y, 1) /\ Keep(<<z>>)
ThroughArguments == And(x' = 1, And(y' = 1, z' = {}))
ThroughLet == LET n == x'
                  Go(v) == v' = n
              IN n = 1 /\ Go(y) /\ Go(z)
ThroughLabels == lab:: (x' = 1 /\ UNCHANGED inner)
ThroughQuantifiers == \E i \in 1..2, j \in 1..2 : x' = i /\ y' = j /\ z' = {}
Angle == <<x' = 1 /\ UNCHANGED inner>>_x
Stutter == [ThroughLet]_vars
Composed == (x' = 1) \cdot ThroughLet
Next == \/ ThroughDefinitions \/ ThroughParameters \/ ThroughOperators \/ ThroughArguments \/ ThroughLet
        \/ ThroughLabels \/ ThroughQuantifiers \/ Angle \/ Stutter \/ Composed
Spec == Init /\ [][Next]_vars
====
