--------------------------- MODULE MutualRecursion --------------------------
(* Functions and definitions that are recursive through others, at the top *)
(* of a module and in a LET.                                               *)
EXTENDS Integers, TLC

VARIABLE x

RECURSIVE fact
times[n \in Nat] == fact[n]
fact[n \in Nat] == IF n = 0 THEN 1 ELSE n * times[n - 1]

RECURSIVE even, odd
even[n \in 0..9] == IF n = 0 THEN TRUE ELSE odd[n - 1]
odd[n \in 0..9] == IF n = 0 THEN FALSE ELSE even[n - 1]

RECURSIVE A
B == IF x = 0 THEN 1 ELSE A
A == IF x = 1 THEN 2 ELSE IF x = 0 THEN B + 1 ELSE 5

InLet(k) ==
    LET RECURSIVE f
        g[n \in 0..9] == f[n] + k
        f[n \in 0..9] == IF n = 0 THEN 1 ELSE g[n - 1]
        RECURSIVE up(_), down(_)
        up(n) == IF n > 3 THEN k ELSE down(n + 2)
        down(n) == up(n - 1)
        sets == {s \in SUBSET (1..2) : \A e \in s : up(e) > 1}
    IN  <<f[3], g[2], up(0), {1} \in sets>>

\* Not recursive through another one: what it needs is in a LET of its own.
steps[n \in Nat] == LET before == steps[n - 1] at(m) == steps[m] IN IF n = 0 THEN 1 ELSE before + at(n - 1)

Init == x = 0
Next ==
    /\ x < 4
    /\ x' = x + 1
    /\ PrintT(<<fact[x], even[x], odd[x], B, A, InLet(x), steps[x], [i \in 0..3 |-> even[i]]>>)
=============================================================================
