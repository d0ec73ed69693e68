-------------------------- MODULE TemporalArgument --------------------------
(* Operators that are passed as arguments, applied to temporal formulas,   *)
(* or making them.                                                         *)
EXTENDS Integers

VARIABLE s

Init == s = 0
Next == s < 5 /\ s' = s + 1
Spec == Init /\ [][Next]_s /\ WF_s(Next)

Same(a) == a
Apply(f(_)) == f([](s < 9))
Made(f(_), p) == f(p)
Inner(f(_)) == LET g(a) == f(a) IN g([](s < 9)) /\ g(<>[](s = 5))

Prop ==
    /\ Apply(Same)
    /\ Made(LAMBDA q : []q, s < 9)
    /\ Made(LAMBDA q : <>q, s = 5)
    /\ Inner(LAMBDA a : a)
    /\ Made(LAMBDA a : a /\ s = 0, [][s' > s]_s)
=============================================================================
