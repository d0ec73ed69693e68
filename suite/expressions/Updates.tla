---- MODULE Updates ----
\* EXCEPT, @ and what lies outside of a domain.
\* Each expression stands on a line of its own: `specline eval` must give what TLC prints for it, and nothing where TLC prints nothing.
EXTENDS Integers, Sequences, FiniteSets, Bags, TLC, TLCExt

ASSUME PrintT("#0") /\ AssertError("no", PrintT([[i \in 1..3 |-> i] EXCEPT ![2] = @ + 40])) \in BOOLEAN
ASSUME PrintT("#1") /\ AssertError("no", PrintT([<<1, 2>> EXCEPT ![3] = 0])) \in BOOLEAN
ASSUME PrintT("#2") /\ AssertError("no", PrintT([<<1, 2>> EXCEPT ![1] = 5, ![1] = @ + 1])) \in BOOLEAN
ASSUME PrintT("#3") /\ AssertError("no", PrintT([[a |-> 1] EXCEPT !.a = @ + 1])) \in BOOLEAN
ASSUME PrintT("#4") /\ AssertError("no", PrintT([[a |-> 1] EXCEPT !.b = 2])) \in BOOLEAN
ASSUME PrintT("#5") /\ AssertError("no", PrintT([[a |-> <<1, 2>>] EXCEPT !.a[2] = @ * 10])) \in BOOLEAN
ASSUME PrintT("#6") /\ AssertError("no", PrintT([<<<<1>>, <<2>>>> EXCEPT ![2][1] = <<@, @>>])) \in BOOLEAN
ASSUME PrintT("#7") /\ AssertError("no", PrintT([[x \in {"a", "b"} |-> 0] EXCEPT !.a = 1])) \in BOOLEAN
ASSUME PrintT("#8") /\ AssertError("no", PrintT([[a |-> 1] EXCEPT !["a"] = 3])) \in BOOLEAN
ASSUME PrintT("#9") /\ AssertError("no", PrintT([[<<i, j>> \in {1, 2} \X {1, 2} |-> i + j] EXCEPT ![1, 2] = 0])) \in BOOLEAN
ASSUME PrintT("#10") /\ AssertError("no", PrintT([[i \in 1..2 |-> i] EXCEPT ![1] = @ = 1])) \in BOOLEAN
ASSUME PrintT("#11") /\ AssertError("no", PrintT([[i \in 1..2 |-> [j \in 1..2 |-> i * j]] EXCEPT ![2] = [@ EXCEPT ![1] = 0]])) \in BOOLEAN
ASSUME PrintT("#12") /\ AssertError("no", PrintT([<<[a |-> 1], [a |-> 2]>> EXCEPT ![1].a = 7, ![2].a = @ - 7])) \in BOOLEAN
ASSUME PrintT("#13") /\ AssertError("no", PrintT([f \in {[x \in {1} |-> 1]} |-> f[1]][<<1>>])) \in BOOLEAN
ASSUME PrintT("#14") /\ AssertError("no", PrintT([[i \in 1..3 |-> i] EXCEPT ![4] = 1][1])) \in BOOLEAN
ASSUME PrintT("#15") /\ AssertError("no", PrintT((1 :> 2 @@ 2 :> 3)[2])) \in BOOLEAN
ASSUME PrintT("#16") /\ AssertError("no", PrintT((1 :> 2 @@ 1 :> 3)[1])) \in BOOLEAN
ASSUME PrintT("#17") /\ AssertError("no", PrintT(DOMAIN [a |-> 1, b |-> 2])) \in BOOLEAN
ASSUME PrintT("#18") /\ AssertError("no", PrintT([x \in {1, 2}, y \in {3} |-> x + y][1, 3])) \in BOOLEAN
====
