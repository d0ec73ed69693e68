---------------------------- MODULE TlcOperators ----------------------------
(* The TLC module in constant expressions: Print gives its second argument,  *)
(* PrintT and a true Assert give TRUE, TLCEval changes nothing but the time  *)
(* of evaluation, Any contains everything.                                   *)
EXTENDS Naturals, TLC, FiniteSets

VARIABLE x

ASSUME Print("shown", 41) + 1 = 42
ASSUME PrintT("line") = TRUE
ASSUME Assert(TRUE, "not shown")
ASSUME Assert(1 < 2, <<"not", "shown">>)
ASSUME TLCEval(3) = 3
ASSUME TLCEval({n \in 1..5 : n > 2}) = 3..5
ASSUME TLCEval([n \in 1..2 |-> n]) = <<1, 2>>
ASSUME 5 \in Any /\ "x" \in Any /\ {} \in Any /\ <<1, TRUE>> \in Any
ASSUME [a |-> 1] \in [a : Any]
ASSUME JavaTime \in Nat
ASSUME RandomElement({7}) = 7
ASSUME RandomElement(1..9) \in 1..9
ASSUME ToString(1..3) = "1..3"
ASSUME ToString(TRUE) = "TRUE"

Init == x \in {RandomElement({4})}
\* Printed once a step that is tried, also when it leads to a known state.
Next == x' = (x + 1) % 3 /\ PrintT(<<x, x'>>)
Small == Assert(x < 5, "too big")
=============================================================================
