--------------------------- MODULE OneValueManyForms ------------------------
(* The same value, made in different ways, is the same state.                *)
EXTENDS Naturals, Sequences, TLC, FiniteSets, Bags

VARIABLE v

Init == v = <<1, 2>>
Next ==
    \/ v' = [i \in 1..2 |-> i]
    \/ v' = (2 :> 2 @@ 1 :> 1)
    \/ v' = Append(<<1>>, 2)
    \/ v' = [<<1, 3>> EXCEPT ![2] = 2]
    \/ v' = SubSeq(<<0, 1, 2>>, 2, 3)
    \/ v' = [a |-> 1]
    \/ v' = [x \in {"a"} |-> 1]
    \/ v' = ("a" :> 1)
    \/ v' = SetToBag({"a"})
    \/ v' = 1..3
    \/ v' = {3, 2, 1}
    \/ v' = {x \in 0..5 : x > 0 /\ x < 4}
    \/ v' = {1} \cup {2, 3}
    \/ v' = UNION {{1, 2}, {3}}
    \/ v' = <<>>
    \/ v' = [x \in {} |-> x]
    \/ v' = EmptyBag
    \/ v' = SUBSET {1}
    \/ v' = {{}, {1}}
    \/ v' = {1} \X {2}
    \/ v' = {<<1, 2>>}
    \/ v' = [{1} -> {2}]
    \/ v' = {<<2>>}
    \/ v' = [a : {1}]
    \/ v' = {[a |-> 1]}
=============================================================================
