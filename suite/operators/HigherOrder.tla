---------------------------- MODULE HigherOrder -----------------------------
(* Operators as arguments: by name, by symbol, by LAMBDA, and operators that *)
(* were arguments themselves.                                                *)
EXTENDS Naturals, Sequences

VARIABLE n

Apply(Op(_), v) == Op(v)
Both(Op(_, _), a, b) == Op(a, b)
Twice(Op(_), v) == Op(Op(v))
Thrice(Op(_), v) == Op(Twice(Op, v))
Inc(v) == v + 1
Compose(F(_), G(_), v) == F(G(v))

ASSUME Apply(Inc, 4) = 5
ASSUME Both(+, 2, 3) = 5
ASSUME Both(\cup, {1}, {2}) = {1, 2}
ASSUME Both( *, 4, 5) = 20
ASSUME Both(<, 4, 5)
ASSUME Both(\o, <<1>>, <<2>>) = <<1, 2>>
ASSUME Apply(LAMBDA v : v * v, 6) = 36
ASSUME Both(LAMBDA a, b : 10 * a + b, 1, 2) = 12
ASSUME Thrice(Inc, 0) = 3
ASSUME Compose(Inc, LAMBDA v : v * 2, 5) = 11
ASSUME Apply(LAMBDA S : SUBSET S, {}) = {{}}
ASSUME Apply(Len, <<7, 7>>) = 2

\* A lambda keeps what it sees where it is written.
AddAll(base, s) == [i \in DOMAIN s |-> Apply(LAMBDA v : v + base, s[i])]
ASSUME AddAll(10, <<1, 2>>) = <<11, 12>>
ASSUME (LET k == 3 IN Twice(LAMBDA v : v * k, 2)) = 18
\* One lambda inside another.
ASSUME Apply(LAMBDA v : Apply(LAMBDA w : w + v, 1), 10) = 11

RECURSIVE Fold(_, _, _)
Fold(Op(_, _), base, s) == IF s = <<>> THEN base ELSE Op(Head(s), Fold(Op, base, Tail(s)))
ASSUME Fold(+, 0, <<1, 2, 3>>) = 6
ASSUME Fold(LAMBDA a, b : <<a>> \o b, <<>>, <<1, 2, 3>>) = <<1, 2, 3>>
ASSUME Fold(LAMBDA a, b : a - b, 0, <<9, 4, 1>>) = 6

\* Actions may be arguments too.
Step(Act(_), k) == n < 4 /\ Act(k)
Up(k) == n' = n + k
Init == n = 0
Next == Step(Up, 1) \/ Step(Up, 2) \/ Step(LAMBDA k : n' = k, 0)
Small == n \in 0..5
=============================================================================
