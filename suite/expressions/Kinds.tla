---- MODULE Kinds ----
\* Values of different kinds beside each other.
\* Each expression stands on a line of its own: `specline eval` must give what TLC prints for it, and nothing where TLC prints nothing.
EXTENDS Integers, Sequences, FiniteSets, Bags, TLC, TLCExt

ASSUME PrintT("#0") /\ AssertError("no", PrintT({} = {"a"})) \in BOOLEAN
ASSUME PrintT("#1") /\ AssertError("no", PrintT(<<1, "a">> = <<1, "b">>)) \in BOOLEAN
ASSUME PrintT("#2") /\ AssertError("no", PrintT(<<1>> = [x \in {1} |-> 1])) \in BOOLEAN
ASSUME PrintT("#3") /\ AssertError("no", PrintT([a |-> 1] = [x \in {"a"} |-> 1])) \in BOOLEAN
ASSUME PrintT("#4") /\ AssertError("no", PrintT("a" \in {"a", "b"})) \in BOOLEAN
ASSUME PrintT("#5") /\ AssertError("no", PrintT("a" \in STRING)) \in BOOLEAN
ASSUME PrintT("#6") /\ AssertError("no", PrintT(TRUE \in BOOLEAN)) \in BOOLEAN
ASSUME PrintT("#7") /\ AssertError("no", PrintT({1} \subseteq Nat)) \in BOOLEAN
ASSUME PrintT("#8") /\ AssertError("no", PrintT(-1 \in Nat)) \in BOOLEAN
ASSUME PrintT("#9") /\ AssertError("no", PrintT(FALSE /\ 1)) \in BOOLEAN
ASSUME PrintT("#10") /\ AssertError("no", PrintT(TRUE \/ 1)) \in BOOLEAN
ASSUME PrintT("#11") /\ AssertError("no", PrintT(IF TRUE THEN 2 ELSE 1 + "a")) \in BOOLEAN
ASSUME PrintT("#12") /\ AssertError("no", PrintT(1..3 = {1, 2, 3})) \in BOOLEAN
ASSUME PrintT("#13") /\ AssertError("no", PrintT({1, 2} = {2, 1, 1})) \in BOOLEAN
ASSUME PrintT("#14") /\ AssertError("no", PrintT([a |-> 1, b |-> 2] = [b |-> 2, a |-> 1])) \in BOOLEAN
ASSUME PrintT("#15") /\ AssertError("no", PrintT(<<1, 2>> = (1 :> 1 @@ 2 :> 2))) \in BOOLEAN
ASSUME PrintT("#16") /\ AssertError("no", PrintT({[a |-> 1], [b |-> 1]})) \in BOOLEAN
ASSUME PrintT("#17") /\ AssertError("no", PrintT(CASE FALSE -> 1 [] OTHER -> "o")) \in BOOLEAN
ASSUME PrintT("#18") /\ AssertError("no", PrintT(LET f[n \in Nat] == IF n = 0 THEN 1 ELSE n * f[n - 1] IN f[5])) \in BOOLEAN
ASSUME PrintT("#19") /\ AssertError("no", PrintT(LET RECURSIVE F(_) F(n) == IF n = 0 THEN <<>> ELSE <<n>> \o F(n - 1) IN F(3))) \in BOOLEAN
====
