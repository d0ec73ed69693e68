---------------------------- MODULE PrintedForms ----------------------------
(* How values look when they are printed, in traces and by ToString: order   *)
(* of elements and fields, tuples, records and other functions, lazy sets,   *)
(* empty things, and what is too wide for a line.                            *)
EXTENDS Integers, Sequences, TLC, FiniteSets

CONSTANTS m1, m2

VARIABLES v

ASSUME PrintT(TRUE) /\ PrintT(-3) /\ PrintT("text") /\ PrintT(m1)
ASSUME PrintT({3, 1, 2}) /\ PrintT({}) /\ PrintT({{2, 1}, {}, {3}})
ASSUME PrintT(<<>>) /\ PrintT(<<1, <<2>>, "x">>)
ASSUME PrintT([b |-> 1, a |-> <<2>>])
ASSUME PrintT([x \in {} |-> x]) /\ PrintT([x \in {5, 3} |-> x + 1]) /\ PrintT([x \in {m2, m1} |-> x])
ASSUME PrintT([x \in {"b", "a"} |-> 0])
\* Not like an identifier, so not like a record.
ASSUME PrintT([x \in {"two words"} |-> 0])
ASSUME PrintT(1..3) /\ PrintT(3..1) /\ PrintT(SUBSET {1, 2}) /\ PrintT([{1, 2} -> {0, 1}])
ASSUME PrintT({1, 2} \X {3}) /\ PrintT([a : {1}, b : {2, 3}]) /\ PrintT(BOOLEAN)
ASSUME PrintT(Nat) /\ PrintT(STRING) /\ PrintT(Seq({1})) /\ PrintT(Int)
ASSUME PrintT({x \in 1..5 : x > 3}) /\ PrintT({x \in SUBSET {1, 2} : 1 \in x})
ASSUME PrintT(UNION {{1}, {2}}) /\ PrintT({1} \cup {0}) /\ PrintT((1..3) \ {2})
ASSUME Print("label", 5) = 5
ASSUME ToString(<<1, "a", {2}>>) = "<<1, \"a\", {2}>>"
ASSUME ToString([a |-> TRUE]) = "[a |-> TRUE]"
ASSUME ToString({m2, m1}) = "{m1, m2}"

Wide == [first |-> "a fairly long string to fill the line", second |-> <<10000, 20000, 30000>>, third |-> {"and one more string"}]
ASSUME PrintT(Wide)
ASSUME PrintT([i \in 1..30 |-> 1000 + i])

Init == v = 0
Next ==
    \/ TLCGet("level") = 1 /\ v' = <<Wide, {Wide, [Wide EXCEPT !.first = ""]}>>
    \/ TLCGet("level") = 2 /\ v' = [i \in 0..1 |-> [j \in {"p", "q"} |-> {i}]]
Start == TLCGet("level") < 3
=============================================================================
