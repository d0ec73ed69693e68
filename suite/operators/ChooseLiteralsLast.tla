-------------------------- MODULE ChooseLiteralsLast ------------------------
(* A string that is spelled like an identifier counts as that identifier,    *)
(* and all identifiers of a file come before the strings that are none, even *)
(* before one that stands further up. Identifiers of the modules that are    *)
(* extended come in between.                                                 *)
EXTENDS Sequences

VARIABLES rest, order

Early == "stands first"
Later == [further |-> 1, down |-> 2]

First(S) == CHOOSE x \in S : TRUE

\* "further" is a field two lines below "stands first".
ASSUME First({Early, "further"}) = "further"
ASSUME First({"down", "further"}) = "further"

Init == rest = {"stands first", "and later", "down", "further", "order"} /\ order = <<>>
Next ==
    /\ rest # {}
    /\ order' = Append(order, First(rest))
    /\ rest' = rest \ {First(rest)}
Unfinished == rest # {}
=============================================================================
