--------------------------- MODULE ChooseStrings ----------------------------
(* Strings are ordered by when their spelling was first met, not by the      *)
(* alphabet: first every identifier of the module from top to bottom (field  *)
(* names and strings that are spelled like an identifier with them), then    *)
(* the strings that are no identifier, in the order of the text.             *)
EXTENDS Sequences

VARIABLES zebra, apple, result

\* As identifiers: zebra, apple, result, then First, Strings_, ... and the field mango.
First(S) == CHOOSE x \in S : TRUE
Fruit == [mango |-> 1]

ASSUME First({"apple", "zebra"}) = "zebra"
ASSUME First({"zebra", "apple"}) = "zebra"
\* "mango" is a field name above, so it comes before strings that are only strings.
ASSUME First({"9lives", "mango"}) = "mango"
ASSUME First({"mango", "apple"}) = "apple"
\* No identifier is spelled like these: in the order of the text, which is 9lives, b-side, a-side.
ASSUME First({"b-side", "a-side"}) = "b-side"
ASSUME First({"a-side", "9lives"}) = "9lives"
\* Length does not matter.
ASSUME First({"b-side", "a-side", "?"}) = "b-side"

Init == zebra = {"?", "mango", "a-side", "9lives", "apple", "zebra", "b-side"} /\ apple = 0 /\ result = <<>>
Next ==
    /\ zebra # {}
    /\ result' = Append(result, First(zebra))
    /\ zebra' = zebra \ {First(zebra)}
    /\ UNCHANGED apple
Unfinished == zebra # {}
=============================================================================
