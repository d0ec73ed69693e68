---------------------------- MODULE FunctionsOps ----------------------------
(* The operators of the community's Functions and Folds.                     *)
EXTENDS Integers, Functions, Folds, FiniteSets, TLC

VARIABLE f

F == [a |-> 3, b |-> 1, c |-> 3]
ASSUME Range(F) = {1, 3} /\ Range(<<>>) = {}
ASSUME Restrict(F, {"a"}) = [a |-> 3]
ASSUME RestrictDomain(F, LAMBDA k : k # "a") = [b |-> 1, c |-> 3]
ASSUME RestrictValues(F, LAMBDA v : v > 2) = [a |-> 3, c |-> 3]
ASSUME IsRestriction([a |-> 3], F) /\ ~IsRestriction([a |-> 4], F)
ASSUME Pointwise(<<1, 2>>, <<10, 20>>, +) = <<11, 22>>
ASSUME Inverse(<<3, 4>>, 1..2, 3..4) = (3 :> 1 @@ 4 :> 2)
ASSUME AntiFunction(<<5, 6>>) = (5 :> 1 @@ 6 :> 2)
ASSUME IsInjective(<<1, 2>>) /\ ~IsInjective(<<1, 1>>) /\ IsInjective(<<>>)
ASSUME Injection(1..2, 1..2) = {<<1, 2>>, <<2, 1>>}
ASSUME Cardinality(Injection(1..2, 1..3)) = 6
ASSUME Cardinality(Surjection(1..3, 1..2)) = 6
ASSUME Bijection({1}, {2}) = {<<2>>}
ASSUME ExistsInjection(1..2, 1..3) /\ ~ExistsSurjection(1..2, 1..3) /\ ExistsBijection(1..2, 3..4)
ASSUME FoldFunction(+, 0, <<1, 2, 3>>) = 6
ASSUME FoldFunctionOnSet(+, 0, <<1, 2, 3>>, {1, 3}) = 4
ASSUME SumFunction(F) = 7 /\ SumFunctionOnSet(F, {"a", "b"}) = 4
ASSUME MapThenFoldSet(+, 0, LAMBDA x : x * x, LAMBDA T : CHOOSE x \in T : TRUE, 1..4) = 30
ASSUME MapThenFoldSet(LAMBDA x, y : x \cup y, {}, LAMBDA x : {x}, LAMBDA T : CHOOSE x \in T : TRUE, {}) = {}

Init == f \in Injection(1..2, 1..3)
\* Move one value to a free place: the function stays injective.
Next == \E i \in 1..2, v \in (1..3) \ Range(f) : f' = [f EXCEPT ![i] = v]
Stays == IsInjective(f) /\ SumFunction(f) \in 3..5
=============================================================================
