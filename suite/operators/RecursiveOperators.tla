------------------------- MODULE RecursiveOperators -------------------------
(* RECURSIVE operators: one, two that call each other, with a set that gets  *)
(* smaller by CHOOSE, and a few hundred calls deep.                          *)
EXTENDS Integers, Sequences, FiniteSets

VARIABLES a, b

RECURSIVE Factorial(_), Gcd(_, _), SumSet(_), IsEven(_), IsOdd(_), Down(_), Hanoi(_, _, _, _), Flatten(_)

Factorial(n) == IF n = 0 THEN 1 ELSE n * Factorial(n - 1)
Gcd(m, n) == IF n = 0 THEN m ELSE Gcd(n, m % n)
SumSet(S) == IF S = {} THEN 0 ELSE LET e == CHOOSE x \in S : TRUE IN e + SumSet(S \ {e})
IsEven(n) == n = 0 \/ IsOdd(n - 1)
IsOdd(n) == n # 0 /\ IsEven(n - 1)
Down(n) == IF n = 0 THEN 0 ELSE 1 + Down(n - 1)
Hanoi(n, from, to, via) ==
    IF n = 0 THEN <<>> ELSE Hanoi(n - 1, from, via, to) \o <<<<from, to>>>> \o Hanoi(n - 1, via, to, from)
Flatten(s) == IF s = <<>> THEN <<>> ELSE Head(s) \o Flatten(Tail(s))

ASSUME Factorial(0) = 1 /\ Factorial(10) = 3628800
ASSUME Gcd(84, 36) = 12 /\ Gcd(7, 0) = 7
ASSUME SumSet({5, 6, 7}) = 18 /\ SumSet({}) = 0
ASSUME IsEven(20) /\ IsOdd(21) /\ ~IsEven(3)
ASSUME Down(200) = 200
ASSUME Len(Hanoi(5, "l", "r", "m")) = 31
ASSUME Hanoi(2, 1, 3, 2) = <<<<1, 2>>, <<1, 3>>, <<2, 3>>>>
ASSUME Flatten(<<<<1>>, <<>>, <<2, 3>>>>) = <<1, 2, 3>>

\* Recursion inside LET, and with an operator as an argument.
Iterate(Op(_), n, start) ==
    LET RECURSIVE Go(_)
        Go(i) == IF i = 0 THEN start ELSE Op(Go(i - 1))
    IN Go(n)
ASSUME Iterate(LAMBDA v : 2 * v, 10, 1) = 1024

Init == a = 24 /\ b = 18
\* Euclid's steps as a state machine agree with the operator.
Next == b # 0 /\ a' = b /\ b' = a % b
Agrees == Gcd(a, b) = 6
=============================================================================
