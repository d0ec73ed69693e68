---- MODULE EmptyDomains ----
\* Functions, sets and sequences of nothing.
\* Each expression stands on a line of its own: `specline eval` must give what TLC prints for it, and nothing where TLC prints nothing.
EXTENDS Integers, Sequences, FiniteSets, Bags, TLC, TLCExt

ASSUME PrintT("#0") /\ AssertError("no", PrintT([x \in {} |-> x])) \in BOOLEAN
ASSUME PrintT("#1") /\ AssertError("no", PrintT(<<>> = [x \in {} |-> 1])) \in BOOLEAN
ASSUME PrintT("#2") /\ AssertError("no", PrintT(DOMAIN <<>>)) \in BOOLEAN
ASSUME PrintT("#3") /\ AssertError("no", PrintT([{} -> {}])) \in BOOLEAN
ASSUME PrintT("#4") /\ AssertError("no", PrintT([{} -> {1, 2}])) \in BOOLEAN
ASSUME PrintT("#5") /\ AssertError("no", PrintT([{1} -> {}])) \in BOOLEAN
ASSUME PrintT("#6") /\ AssertError("no", PrintT(Cardinality([{} -> {}]))) \in BOOLEAN
ASSUME PrintT("#7") /\ AssertError("no", PrintT(SUBSET {})) \in BOOLEAN
ASSUME PrintT("#8") /\ AssertError("no", PrintT(UNION {})) \in BOOLEAN
ASSUME PrintT("#9") /\ AssertError("no", PrintT(UNION {{}})) \in BOOLEAN
ASSUME PrintT("#10") /\ AssertError("no", PrintT({} \X {1})) \in BOOLEAN
ASSUME PrintT("#11") /\ AssertError("no", PrintT({x \in {} : x > "a"})) \in BOOLEAN
ASSUME PrintT("#12") /\ AssertError("no", PrintT({x + 1 : x \in {}})) \in BOOLEAN
ASSUME PrintT("#13") /\ AssertError("no", PrintT(\A x \in {} : FALSE)) \in BOOLEAN
ASSUME PrintT("#14") /\ AssertError("no", PrintT(\E x \in {} : TRUE)) \in BOOLEAN
ASSUME PrintT("#15") /\ AssertError("no", PrintT([x \in {} |-> 1] @@ <<7>>)) \in BOOLEAN
ASSUME PrintT("#16") /\ AssertError("no", PrintT(Len(<<>>))) \in BOOLEAN
ASSUME PrintT("#17") /\ AssertError("no", PrintT(Append(<<>>, <<>>))) \in BOOLEAN
ASSUME PrintT("#18") /\ AssertError("no", PrintT(<<>> \o <<>>)) \in BOOLEAN
ASSUME PrintT("#19") /\ AssertError("no", PrintT(SubSeq(<<1, 2>>, 2, 1))) \in BOOLEAN
ASSUME PrintT("#20") /\ AssertError("no", PrintT(SubSeq(<<>>, 1, 0))) \in BOOLEAN
ASSUME PrintT("#21") /\ AssertError("no", PrintT(SelectSeq(<<>>, LAMBDA x : x))) \in BOOLEAN
ASSUME PrintT("#22") /\ AssertError("no", PrintT([a : {}, b : {1}])) \in BOOLEAN
ASSUME PrintT("#23") /\ AssertError("no", PrintT([[x \in {} |-> 1] EXCEPT ![1] = 2])) \in BOOLEAN
ASSUME PrintT("#24") /\ AssertError("no", PrintT(Len(""))) \in BOOLEAN
ASSUME PrintT("#25") /\ AssertError("no", PrintT({} \subseteq {{}})) \in BOOLEAN
ASSUME PrintT("#26") /\ AssertError("no", PrintT({} \in SUBSET {})) \in BOOLEAN
ASSUME PrintT("#27") /\ AssertError("no", PrintT(3..1)) \in BOOLEAN
ASSUME PrintT("#28") /\ AssertError("no", PrintT(Cardinality(3..1))) \in BOOLEAN
ASSUME PrintT("#29") /\ AssertError("no", PrintT((3..1) = {})) \in BOOLEAN
ASSUME PrintT("#30") /\ AssertError("no", PrintT(SetToBag({}))) \in BOOLEAN
ASSUME PrintT("#31") /\ AssertError("no", PrintT(EmptyBag = <<>>)) \in BOOLEAN
ASSUME PrintT("#32") /\ AssertError("no", PrintT(<<>> \in Seq({}))) \in BOOLEAN
ASSUME PrintT("#33") /\ AssertError("no", PrintT(<<1>> \in Seq({}))) \in BOOLEAN
====
