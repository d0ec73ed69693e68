------------------------- MODULE ChooseBorrowedNames ------------------------
(* A string that is spelled like an identifier of an extended module comes   *)
(* after the identifiers of this one and before the strings that are no      *)
(* identifiers; where they stand here does not matter.                       *)
EXTENDS Sequences

VARIABLES rest, order

First(S) == CHOOSE x \in S : TRUE

Init == rest = {"no identifier", "SelectSeq", "rest"} /\ order = <<>>
Next ==
    /\ rest # {}
    /\ order' = Append(order, First(rest))
    /\ rest' = rest \ {First(rest)}
Unfinished == rest # {}
=============================================================================
