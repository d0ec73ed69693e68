---- MODULE Choices ----
\* CHOOSE takes the least that satisfies, in TLC's order.
\* Each expression stands on a line of its own: `specline eval` must give what TLC prints for it, and nothing where TLC prints nothing.
EXTENDS Integers, Sequences, FiniteSets, Bags, TLC, TLCExt

ASSUME PrintT("#0") /\ AssertError("no", PrintT(CHOOSE x \in 1..10 : x * x > 20)) \in BOOLEAN
ASSUME PrintT("#1") /\ AssertError("no", PrintT(CHOOSE x \in {3, 1, 2} : TRUE)) \in BOOLEAN
ASSUME PrintT("#2") /\ AssertError("no", PrintT(CHOOSE x \in {"zebra", "yak"} : TRUE)) \in BOOLEAN
ASSUME PrintT("#3") /\ AssertError("no", PrintT(CHOOSE S \in SUBSET {1, 2} : Cardinality(S) = 1)) \in BOOLEAN
ASSUME PrintT("#4") /\ AssertError("no", PrintT(CHOOSE f \in [{1, 2} -> {0, 1}] : f[1] # f[2])) \in BOOLEAN
ASSUME PrintT("#5") /\ AssertError("no", PrintT(CHOOSE p \in {1, 2} \X {3, 4} : p[1] + p[2] = 5)) \in BOOLEAN
ASSUME PrintT("#6") /\ AssertError("no", PrintT(CHOOSE r \in [a : {1, 2}, b : {3}] : r.a = 2)) \in BOOLEAN
ASSUME PrintT("#7") /\ AssertError("no", PrintT(CHOOSE x \in {<<2, 1>>, <<1, 2>>, <<1>>} : TRUE)) \in BOOLEAN
ASSUME PrintT("#8") /\ AssertError("no", PrintT(CHOOSE x \in {{2}, {1}, {1, 2}} : TRUE)) \in BOOLEAN
ASSUME PrintT("#9") /\ AssertError("no", PrintT(CHOOSE x \in {-1, -2} : TRUE)) \in BOOLEAN
ASSUME PrintT("#10") /\ AssertError("no", PrintT(CHOOSE x \in {TRUE, FALSE} : TRUE)) \in BOOLEAN
ASSUME PrintT("#11") /\ AssertError("no", PrintT(CHOOSE x \in BOOLEAN : TRUE)) \in BOOLEAN
ASSUME PrintT("#12") /\ AssertError("no", PrintT(CHOOSE <<x, y>> \in (1..3) \X (1..3) : x > y)) \in BOOLEAN
ASSUME PrintT("#13") /\ AssertError("no", PrintT(LET m == CHOOSE x \in {1, 5, 3} : \A y \in {1, 5, 3} : x >= y IN m)) \in BOOLEAN
ASSUME PrintT("#14") /\ AssertError("no", PrintT(CHOOSE x \in UNION {{4}, {2, 3}} : x # 2)) \in BOOLEAN
ASSUME PrintT("#15") /\ AssertError("no", PrintT(CHOOSE x \in {y \in 1..9 : y % 4 = 3} : TRUE)) \in BOOLEAN
ASSUME PrintT("#16") /\ AssertError("no", PrintT(CHOOSE x \in {2 * y : y \in 1..3} : x > 2)) \in BOOLEAN
ASSUME PrintT("#17") /\ AssertError("no", PrintT({CHOOSE y \in S : TRUE : S \in (SUBSET {1, 2}) \ {{}}})) \in BOOLEAN
ASSUME PrintT("#18") /\ AssertError("no", PrintT(CHOOSE f \in [{} -> {1}] : TRUE)) \in BOOLEAN
ASSUME PrintT("#19") /\ AssertError("no", PrintT(CHOOSE x \in {[a |-> 2], [a |-> 1]} : TRUE)) \in BOOLEAN
====
