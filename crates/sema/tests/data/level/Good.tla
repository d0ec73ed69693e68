---- MODULE Good ----
\* All levels, each in its place.
EXTENDS Naturals, Sequences
CONSTANTS N, Op(_, _)
VARIABLES x, y
vars == <<x, y>>
Zero == Op(N, 0)
Init == x = Zero /\ y = <<>>
Grow(n) == /\ x' = x + n
           /\ y' = Append(y, x')
Next == \E n \in 1..N : Grow(n)
CanGrow == ENABLED Next
Spec == Init /\ [][Next]_vars /\ WF_vars(Next) /\ SF_vars(Grow(1) /\ UNCHANGED y)
Hides == \EE h : [](h = x)
Live == CanGrow ~> (x = N)
Both == Next \cdot Next
Apply(F(_), a) == F(a)
Applied == Apply(LAMBDA a : a', x)
Selected == SelectSeq(y, LAMBDA e : e = x)
RECURSIVE Sum(_)
Sum(s) == IF s = <<>> THEN 0 ELSE Head(s) + Sum(Tail(s))
Total == Sum(y)
Later == Sum(y')
fact[n \in Nat] == IF n = 0 THEN 1 ELSE n * fact[n - 1]
ASSUME fact[N] \in Nat
THEOREM Spec => []CanGrow
====
