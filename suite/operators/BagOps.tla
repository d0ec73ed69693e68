------------------------------- MODULE BagOps -------------------------------
(* Bags: functions from elements to how often they are there.                *)
EXTENDS Naturals, Bags, FiniteSets, TLC

VARIABLES net

B == SetToBag({"a", "b"})
ASSUME EmptyBag = <<>> /\ EmptyBag = SetToBag({})
ASSUME B = [a |-> 1, b |-> 1]
ASSUME B (+) B = [a |-> 2, b |-> 2]
ASSUME B (-) SetToBag({"a"}) = [b |-> 1]
ASSUME SetToBag({"a"}) (-) (B (+) B) = EmptyBag
ASSUME BagToSet(B (+) B) = {"a", "b"}
ASSUME BagIn("a", B) /\ ~BagIn("z", B)
ASSUME CopiesIn("a", B (+) B) = 2 /\ CopiesIn("z", B) = 0
ASSUME BagCardinality(B (+) SetToBag({"a"})) = 3 /\ BagCardinality(EmptyBag) = 0
ASSUME IsABag(B) /\ IsABag(<<2, 1>>) /\ ~IsABag(<<0>>) /\ ~IsABag([a |-> "x"])
ASSUME B \sqsubseteq B (+) B /\ ~(B (+) B \sqsubseteq B) /\ EmptyBag \sqsubseteq EmptyBag
ASSUME BagUnion({SetToBag({1}), SetToBag({1, 2})}) = (1 :> 2 @@ 2 :> 1)
ASSUME SubBag(SetToBag({"a"}) (+) SetToBag({"a"})) = {EmptyBag, [a |-> 1], [a |-> 2]}
ASSUME Cardinality(SubBag(B)) = 4
ASSUME BagOfAll(LAMBDA x : x % 2, SetToBag(1..3)) = (0 :> 1 @@ 1 :> 2)
ASSUME SetToBag({1, 2}) = <<1, 1>>

Init == net = EmptyBag
Send(m) == CopiesIn(m, net) < 2 /\ net' = net (+) SetToBag({m})
Lose == \E m \in BagToSet(net) : net' = net (-) SetToBag({m})
Next == Lose \/ \E m \in {"ping", "pong"} : Send(m)
Fine == IsABag(net) /\ BagCardinality(net) <= 4
=============================================================================
