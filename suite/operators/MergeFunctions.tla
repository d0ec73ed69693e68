--------------------------- MODULE MergeFunctions ---------------------------
(* :> and @@ of the TLC module: one-point functions and their merging, where *)
(* the left operand wins.                                                    *)
EXTENDS Naturals, TLC, FiniteSets

VARIABLE table

ASSUME (1 :> "a")[1] = "a"
ASSUME 1 :> 5 = <<5>>
ASSUME "k" :> 5 = [k |-> 5]
ASSUME DOMAIN (3 :> 4) = {3}
ASSUME (1 :> "a") @@ (2 :> "b") = <<"a", "b">>
ASSUME (1 :> "a") @@ (1 :> "b") = <<"a">>
ASSUME [a |-> 1] @@ [a |-> 2, b |-> 3] = [a |-> 1, b |-> 3]
ASSUME <<>> @@ <<7>> = <<7>>
ASSUME <<7>> @@ <<>> = <<7>>
ASSUME <<1, 2>> @@ (3 :> 9) = <<1, 2, 9>>
ASSUME 1 :> 1 @@ 2 :> 2 @@ 1 :> 3 = <<1, 2>>
ASSUME DOMAIN ((5 :> 0) @@ (7 :> 0)) = {5, 7}
ASSUME {1} :> 2 = [s \in {{1}} |-> 2]
ASSUME (TRUE :> 1 @@ FALSE :> 2)[FALSE] = 2
ASSUME PrintT(5 :> "x" @@ 3 :> "y") /\ PrintT("b" :> 1 @@ "a" :> 2) /\ PrintT(<<>> @@ <<>>)

Init == table = <<>>
Put(k, v) == table' = (k :> v) @@ table
Keep(k, v) == table' = table @@ (k :> v)
Next == \E k \in {"x", "y"}, v \in 1..2 : Put(k, v) \/ Keep(k, v)
Small == DOMAIN table \subseteq {"x", "y"}
=============================================================================
