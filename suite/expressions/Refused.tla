---- MODULE Refused ----
\* Expressions that have no value for TLC.
\* Each expression stands on a line of its own: `specline eval` must give what TLC prints for it, and nothing where TLC prints nothing.
EXTENDS Integers, Sequences, FiniteSets, Bags, TLC, TLCExt

ASSUME PrintT("#0") /\ AssertError("no", PrintT(CHOOSE x \in {} : TRUE)) \in BOOLEAN
ASSUME PrintT("#1") /\ AssertError("no", PrintT(Head(<<>>))) \in BOOLEAN
ASSUME PrintT("#2") /\ AssertError("no", PrintT(Tail(<<>>))) \in BOOLEAN
ASSUME PrintT("#3") /\ AssertError("no", PrintT("" = <<>>)) \in BOOLEAN
ASSUME PrintT("#4") /\ AssertError("no", PrintT(CHOOSE x \in {1} : x = 2)) \in BOOLEAN
ASSUME PrintT("#5") /\ AssertError("no", PrintT(CHOOSE x : x = 1)) \in BOOLEAN
ASSUME PrintT("#6") /\ AssertError("no", PrintT(CHOOSE x \in Nat : x > 3)) \in BOOLEAN
ASSUME PrintT("#7") /\ AssertError("no", PrintT(CHOOSE x \in {1, 2} : x)) \in BOOLEAN
ASSUME PrintT("#8") /\ AssertError("no", PrintT([1 EXCEPT ![1] = 2])) \in BOOLEAN
ASSUME PrintT("#9") /\ AssertError("no", PrintT([<<1>> EXCEPT ![1] = @ + "a"])) \in BOOLEAN
ASSUME PrintT("#10") /\ AssertError("no", PrintT([a |-> 1, b |-> 2].c)) \in BOOLEAN
ASSUME PrintT("#11") /\ AssertError("no", PrintT([i \in 1..3 |-> i][0])) \in BOOLEAN
ASSUME PrintT("#12") /\ AssertError("no", PrintT(<<1, 2>>[3])) \in BOOLEAN
ASSUME PrintT("#13") /\ AssertError("no", PrintT(1 = "a")) \in BOOLEAN
ASSUME PrintT("#14") /\ AssertError("no", PrintT(1 = TRUE)) \in BOOLEAN
ASSUME PrintT("#15") /\ AssertError("no", PrintT("a" = TRUE)) \in BOOLEAN
ASSUME PrintT("#16") /\ AssertError("no", PrintT({1, "a"})) \in BOOLEAN
ASSUME PrintT("#17") /\ AssertError("no", PrintT({1} = {"a"})) \in BOOLEAN
ASSUME PrintT("#18") /\ AssertError("no", PrintT(<<1, "a">> = <<"a", 1>>)) \in BOOLEAN
ASSUME PrintT("#19") /\ AssertError("no", PrintT({<<1>>, 1})) \in BOOLEAN
ASSUME PrintT("#20") /\ AssertError("no", PrintT(1 \in {"a"})) \in BOOLEAN
ASSUME PrintT("#21") /\ AssertError("no", PrintT(1 \in STRING)) \in BOOLEAN
ASSUME PrintT("#22") /\ AssertError("no", PrintT(1 \in BOOLEAN)) \in BOOLEAN
ASSUME PrintT("#23") /\ AssertError("no", PrintT(<<>> = {})) \in BOOLEAN
ASSUME PrintT("#24") /\ AssertError("no", PrintT("a" \in Nat)) \in BOOLEAN
ASSUME PrintT("#25") /\ AssertError("no", PrintT(1 + TRUE)) \in BOOLEAN
ASSUME PrintT("#26") /\ AssertError("no", PrintT(TRUE /\ 1)) \in BOOLEAN
ASSUME PrintT("#27") /\ AssertError("no", PrintT(1 /\ TRUE)) \in BOOLEAN
ASSUME PrintT("#28") /\ AssertError("no", PrintT(IF 1 THEN 2 ELSE 3)) \in BOOLEAN
ASSUME PrintT("#29") /\ AssertError("no", PrintT(~1)) \in BOOLEAN
ASSUME PrintT("#30") /\ AssertError("no", PrintT("a" < "b")) \in BOOLEAN
ASSUME PrintT("#31") /\ AssertError("no", PrintT(Cardinality(1))) \in BOOLEAN
ASSUME PrintT("#32") /\ AssertError("no", PrintT(DOMAIN 3)) \in BOOLEAN
ASSUME PrintT("#33") /\ AssertError("no", PrintT(SUBSET 3)) \in BOOLEAN
ASSUME PrintT("#34") /\ AssertError("no", PrintT(UNION {1})) \in BOOLEAN
ASSUME PrintT("#35") /\ AssertError("no", PrintT(CASE 1 = 2 -> 3)) \in BOOLEAN
ASSUME PrintT("#36") /\ AssertError("no", PrintT(\A x \in {1, "a"} : x = x)) \in BOOLEAN
ASSUME PrintT("#37") /\ AssertError("no", PrintT(1 \div 0)) \in BOOLEAN
ASSUME PrintT("#38") /\ AssertError("no", PrintT(1 % 0)) \in BOOLEAN
ASSUME PrintT("#39") /\ AssertError("no", PrintT(1 % (-2))) \in BOOLEAN
ASSUME PrintT("#40") /\ AssertError("no", PrintT(0^0)) \in BOOLEAN
ASSUME PrintT("#41") /\ AssertError("no", PrintT(2^(-1))) \in BOOLEAN
====
