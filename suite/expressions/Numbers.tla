---- MODULE Numbers ----
\* Large numbers, division, powers.
\* Each expression stands on a line of its own: `specline eval` must give what TLC prints for it, and nothing where TLC prints nothing.
EXTENDS Integers, Sequences, FiniteSets, Bags, TLC, TLCExt

ASSUME PrintT("#0") /\ AssertError("no", PrintT(2147483647)) \in BOOLEAN
ASSUME PrintT("#1") /\ AssertError("no", PrintT(-2147483647)) \in BOOLEAN
ASSUME PrintT("#2") /\ AssertError("no", PrintT(2147483647 + 0)) \in BOOLEAN
ASSUME PrintT("#3") /\ AssertError("no", PrintT(46340 * 46340)) \in BOOLEAN
ASSUME PrintT("#4") /\ AssertError("no", PrintT(7 \div 2)) \in BOOLEAN
ASSUME PrintT("#5") /\ AssertError("no", PrintT(-7 \div 2)) \in BOOLEAN
ASSUME PrintT("#6") /\ AssertError("no", PrintT(7 \div (-2))) \in BOOLEAN
ASSUME PrintT("#7") /\ AssertError("no", PrintT(-7 \div (-2))) \in BOOLEAN
ASSUME PrintT("#8") /\ AssertError("no", PrintT(7 % 2)) \in BOOLEAN
ASSUME PrintT("#9") /\ AssertError("no", PrintT(-7 % 2)) \in BOOLEAN
ASSUME PrintT("#10") /\ AssertError("no", PrintT(2^10)) \in BOOLEAN
ASSUME PrintT("#11") /\ AssertError("no", PrintT(2^0)) \in BOOLEAN
ASSUME PrintT("#12") /\ AssertError("no", PrintT(0^5)) \in BOOLEAN
ASSUME PrintT("#13") /\ AssertError("no", PrintT((-2)^3)) \in BOOLEAN
ASSUME PrintT("#14") /\ AssertError("no", PrintT(-2^2)) \in BOOLEAN
ASSUME PrintT("#15") /\ AssertError("no", PrintT(-(3))) \in BOOLEAN
ASSUME PrintT("#16") /\ AssertError("no", PrintT(- 3 + 5)) \in BOOLEAN
ASSUME PrintT("#17") /\ AssertError("no", PrintT(1 - 1 - 1)) \in BOOLEAN
ASSUME PrintT("#18") /\ AssertError("no", PrintT(2 * 3 + 4)) \in BOOLEAN
ASSUME PrintT("#19") /\ AssertError("no", PrintT(2 + 3 * 4)) \in BOOLEAN
ASSUME PrintT("#20") /\ AssertError("no", PrintT(10..12)) \in BOOLEAN
ASSUME PrintT("#21") /\ AssertError("no", PrintT(-2..2)) \in BOOLEAN
ASSUME PrintT("#22") /\ AssertError("no", PrintT({2147483647} \subseteq Int)) \in BOOLEAN
ASSUME PrintT("#23") /\ AssertError("no", PrintT(5 \in 1..10)) \in BOOLEAN
ASSUME PrintT("#24") /\ AssertError("no", PrintT(1 \leq 2)) \in BOOLEAN
ASSUME PrintT("#25") /\ AssertError("no", PrintT(3 >= 4)) \in BOOLEAN
ASSUME PrintT("#26") /\ AssertError("no", PrintT(1 # 1)) \in BOOLEAN
ASSUME PrintT("#27") /\ AssertError("no", PrintT(\b101)) \in BOOLEAN
ASSUME PrintT("#28") /\ AssertError("no", PrintT(\o17)) \in BOOLEAN
ASSUME PrintT("#29") /\ AssertError("no", PrintT(\hFF)) \in BOOLEAN
ASSUME PrintT("#30") /\ AssertError("no", PrintT(Cardinality(1..100))) \in BOOLEAN
ASSUME PrintT("#31") /\ AssertError("no", PrintT(Cardinality(SUBSET (1..10)))) \in BOOLEAN
ASSUME PrintT("#32") /\ AssertError("no", PrintT(<<1, 2, 3>>[2])) \in BOOLEAN
ASSUME PrintT("#33") /\ AssertError("no", PrintT(ToString(12))) \in BOOLEAN
ASSUME PrintT("#34") /\ AssertError("no", PrintT(ToString(<<1, {2}>>))) \in BOOLEAN
====
