------------------------- MODULE RecursiveFunctions -------------------------
(* Functions that are defined by themselves: over numbers, sets, sequences   *)
(* and pairs, and over infinite domains.                                     *)
EXTENDS Naturals, Sequences, FiniteSets

VARIABLES row

Fib[n \in 0..20] == IF n < 2 THEN n ELSE Fib[n - 1] + Fib[n - 2]
ASSUME Fib[10] = 55
\* Defined for every number, evaluated where asked.
Tri[n \in Nat] == IF n = 0 THEN 0 ELSE n + Tri[n - 1]
ASSUME Tri[100] = 5050
Size[S \in SUBSET (1..4)] == IF S = {} THEN 0 ELSE 1 + Size[S \ {CHOOSE x \in S : TRUE}]
ASSUME Size[{1, 3, 4}] = 3
Rev[s \in Seq(Nat)] == IF s = <<>> THEN <<>> ELSE Append(Rev[Tail(s)], Head(s))
ASSUME Rev[<<1, 2, 3>>] = <<3, 2, 1>>
Binom[n, k \in 0..6] == IF k = 0 \/ k = n THEN 1 ELSE IF k > n THEN 0 ELSE Binom[n - 1, k - 1] + Binom[n - 1, k]
ASSUME Binom[6, 3] = 20
\* Ackermann, by pairs.
Ack[m \in 0..2, n \in 0..20] ==
    IF m = 0 THEN n + 1 ELSE IF n = 0 THEN Ack[m - 1, 1] ELSE Ack[m - 1, Ack[m, n - 1]]
ASSUME Ack[2, 3] = 9
\* With a choice of the function itself.
Pow == CHOOSE f \in [0..2 -> 0..4] : \A n \in 0..2 : f[n] = IF n = 0 THEN 1 ELSE 2 * f[n - 1]
ASSUME Pow = [n \in 0..2 |-> 2 ^ n]

Init == row = <<1>>
\* Pascal's triangle.
Next ==
    /\ Len(row) < 6
    /\ row' = [i \in 1..(Len(row) + 1) |->
                IF i = 1 \/ i = Len(row) + 1 THEN 1 ELSE row[i - 1] + row[i]]
IsRow == \A i \in 1..Len(row) : row[i] = Binom[Len(row) - 1, i - 1]
=============================================================================
