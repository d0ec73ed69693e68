----------------------------- MODULE JsonValues -----------------------------
(* Values as JSON text, files written and read back. Sets and sequences both *)
(* become arrays, and arrays come back as sequences.                         *)
EXTENDS Integers, Sequences, Json, TLC

CONSTANT Leader

VARIABLE step

ASSUME PrintT(ToJson(1)) /\ PrintT(ToJson(TRUE)) /\ PrintT(ToJson("text")) /\ PrintT(ToJson(-7))
ASSUME PrintT(ToJson(<<1, "a", <<>>>>)) /\ PrintT(ToJson({3, 1})) /\ PrintT(ToJson({}))
ASSUME PrintT(ToJson([b |-> 1, a |-> [c |-> <<2>>]]))
ASSUME PrintT(ToJson([x \in 3..4 |-> x])) /\ PrintT(ToJson([x \in {<<1, 2>>} |-> 0]))
ASSUME PrintT(ToJson(Leader)) /\ PrintT(ToJson(1..3))
ASSUME PrintT(ToJsonArray([i \in 1..2 |-> i])) /\ PrintT(ToJsonObject([k |-> "v"]))
ASSUME ToJson("quoted \"text\"") = "\"quoted \\\"text\\\"\""

Data == [name |-> "n1", peers |-> <<"n2", "n3">>, term |-> -2, log |-> <<[cmd |-> "set", ok |-> TRUE]>>]
ASSUME JsonSerialize("out.json", Data)
ASSUME JsonDeserialize("out.json") = Data
ASSUME JsonSerialize("sets.json", [s |-> {2, 1}]) /\ JsonDeserialize("sets.json") = [s |-> <<1, 2>>]

Lines == <<[e |-> "start"], [e |-> "stop", at |-> 3]>>
ASSUME ndJsonSerialize("out.ndjson", Lines)
ASSUME ndJsonDeserialize("out.ndjson") = Lines

\* A file that is part of the suite: fractions lose their fraction.
Given == JsonDeserialize("JsonValues.json")
ASSUME Given.list = <<1, 2, <<>>>> /\ Given.flag = FALSE /\ Given.nested.deep = "x"
ASSUME Given.fraction = 2
ASSUME DOMAIN Given = {"list", "flag", "nested", "fraction", "empty"}
ASSUME Given.empty = <<>>

Init == step = 1
Next == step <= Len(Given.list) /\ step' = step + 1
Bound == step <= 4
=============================================================================
