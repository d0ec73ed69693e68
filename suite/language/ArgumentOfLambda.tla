-------------------------- MODULE ArgumentOfLambda --------------------------
(* Inside a LAMBDA, a parameter of the operator around it is used. Its        *)
(* argument, with names of its own, is evaluated only there.                  *)
EXTENDS Integers, Functions, TLC

Folded(a, b) ==
    FoldFunctionOnSet(LAMBDA x, y : b, [k \in {} |-> {}], [z \in {10} |-> "s"], DOMAIN [z \in {10} |-> "s"])

Inner ==
    FoldFunctionOnSet(
        LAMBDA v, w : <<>>,
        (LET F(a, b) ==
                 FoldFunctionOnSet(LAMBDA x, y : b, [k \in {} |-> {}], [z \in {10} |-> "s"],
                                   DOMAIN [z \in {10} |-> "s"])
         IN  F(1, F(1, (LET e == [x \in {} |-> [y \in {} |-> {}]] g == "s"
                        IN  IF g \in DOMAIN e THEN e[g] ELSE <<>>)))),
        [w \in {} |-> 0],
        DOMAIN [w \in {} |-> 0])

ASSUME Inner = <<>>
ASSUME PrintT(Inner)
ASSUME PrintT(Folded(1, Folded(2, LET e == [x \in {3} |-> {y \in {x} : y > 2}] IN e)))
ASSUME PrintT(FoldFunctionOnSet(LAMBDA v, w : v + w, 0, [i \in 1..3 |-> LET F(n) == n * 10 + i IN F(i)], {1, 3}))
=============================================================================
