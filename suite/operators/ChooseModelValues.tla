------------------------- MODULE ChooseModelValues --------------------------
(* Model values are ordered as the configuration first names them, and come  *)
(* before values of every other kind.                                        *)
EXTENDS Sequences, FiniteSets

CONSTANTS Server, None, Client

VARIABLES rest, order

First(S) == CHOOSE x \in S : TRUE

Init == rest = Server \cup Client \cup {None, 3, 1} /\ order = <<>>
Next ==
    /\ rest # {}
    /\ order' = Append(order, First(rest))
    /\ rest' = rest \ {First(rest)}
Unfinished == rest # {}
=============================================================================
