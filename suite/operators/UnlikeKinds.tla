---------------------------- MODULE UnlikeKinds -----------------------------
(* What can be compared although it is not alike: things of different size,  *)
(* tuples up to their first difference, records by their fields, functions   *)
(* with tuples and records, and model values with everything.                *)
EXTENDS Naturals, Sequences

CONSTANTS None, Some

VARIABLES box

\* Sizes decide before elements are looked at.
ASSUME {1} # {"a", "b"}
ASSUME <<1>> # <<"a", "b">>
ASSUME <<1, "a">> # <<2, 5>>
ASSUME [a |-> 1] # [b |-> "x"]
ASSUME <<1, 2>> # [a |-> 1]
ASSUME {} # {{}}
ASSUME {{1}} # {{"a", "b"}}

\* One graph, one value.
ASSUME <<5, 6>> = [i \in 1..2 |-> i + 4]
ASSUME [a |-> 1] = [x \in {"a"} |-> 1]
ASSUME <<>> = [x \in {} |-> x]
ASSUME {<<1, 1>>} = {[i \in 1..2 |-> 1]}
ASSUME 1..2 = {1, 2} /\ SUBSET {1} = {{1}, {}}
ASSUME <<1, 2>> \in {[i \in {1, 2} |-> i]}

\* A model value is itself and nothing else.
ASSUME None = None /\ None # Some
ASSUME None # 1 /\ None # "None" /\ None # TRUE /\ None # {} /\ None # {None} /\ None # <<>> /\ None # [a |-> 1]
ASSUME 1 # None /\ {} # None /\ <<1>> # None /\ "a" # None
ASSUME None \notin Nat /\ None \notin STRING /\ None \notin BOOLEAN /\ None \notin 1..3
ASSUME None \notin [1..2 -> {1}] /\ None \notin Seq({1}) /\ None \notin [a : {1}] /\ None \notin {1} \X {1}
ASSUME None \in {1, None} /\ {None, 1} = {1, None}
ASSUME <<None, 1>> # <<2, None>>
ASSUME [x \in {None, 1} |-> x][None] = None

\* The box holds values of all kinds, one after the other; it is compared with model values only.
Init == box = None
Fill == box = None /\ (box' = 1 \/ box' = <<>> \/ box' = Some \/ box' = [a |-> None] \/ box' = {Some, 1})
Empty == box # None /\ box' = None
Wrap == box = Some /\ box' = {box}
Next == Fill \/ Empty \/ Wrap
Kept == box # Some => box \notin {Some}
=============================================================================
