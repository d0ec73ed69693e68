------------------------------ MODULE Products ------------------------------
(* S \X T \X U makes triples; with parentheses it makes pairs of pairs.      *)
(* Members are recognised without listing, infinite factors included.        *)
EXTENDS Naturals, FiniteSets

VARIABLES at

ASSUME {1, 2} \X {"a"} = {<<1, "a">>, <<2, "a">>}
ASSUME {1} \times {2} = {<<1, 2>>}
ASSUME {} \X {1} = {} /\ {1} \X {} = {}
ASSUME {1} \X {2} \X {3} = {<<1, 2, 3>>}
ASSUME ({1} \X {2}) \X {3} = {<<<<1, 2>>, 3>>}
ASSUME {1} \X ({2} \X {3}) = {<<1, <<2, 3>>>>}
ASSUME ({1} \X {2}) \X {3} # {1} \X {2} \X {3}
ASSUME Cardinality((1..3) \X (1..4) \X BOOLEAN) = 24

ASSUME <<1, 2>> \in (1..3) \X (1..3) /\ <<1, 4>> \notin (1..3) \X (1..3)
ASSUME <<1, 2, 3>> \notin (1..3) \X (1..3)
ASSUME <<7, {1}>> \in Nat \X SUBSET Nat
ASSUME [i \in 1..2 |-> i] \in (1..2) \X (1..2)

\* The first in the order of tuples: the left component counts most.
ASSUME (CHOOSE p \in (1..3) \X (1..3) : p[1] + p[2] = 4) = <<1, 3>>
ASSUME (CHOOSE p \in (1..3) \X (1..3) : p[1] > p[2]) = <<2, 1>>
ASSUME ((1..2) \X (1..3)) \cap ((2..3) \X (2..4)) = {2} \X {2, 3}
ASSUME ((1..2) \X {1}) \cup ({1} \X (1..2)) = {<<1, 1>>, <<2, 1>>, <<1, 2>>}

Board == (1..3) \X (1..3)
\* A knight on a small board: the middle is never reached.
Jumps(p) == {q \in Board : {p[1] - q[1], q[1] - p[1]} \cap {1} # {} /\ {p[2] - q[2], q[2] - p[2]} \cap {2} # {}}
            \cup {q \in Board : {p[1] - q[1], q[1] - p[1]} \cap {2} # {} /\ {p[2] - q[2], q[2] - p[2]} \cap {1} # {}}
Init == at = <<1, 1>>
Next == at' \in Jumps(at)
NotMiddle == at \in Board \ {<<2, 2>>}
=============================================================================
