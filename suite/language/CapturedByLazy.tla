--------------------------- MODULE CapturedByLazy ---------------------------
(* A set or function that is not made explicit keeps the names around it,     *)
(* also one that is used nowhere else: a parameter of a LAMBDA that only      *)
(* a recursive operator inside of it mentions.                                *)
EXTENDS Integers, Functions, TLC

Function ==
    FoldFunctionOnSet(
        LAMBDA a, b :
            LET RECURSIVE R(_)
                R(n) == IF n <= 0
                        THEN LET f[s \in SUBSET {1}] == IF s = {} THEN b ELSE f[{}] + 1
                             IN  f[{1}]
                        ELSE R(n - 1)
            IN  R(2),
        1, <<7, 8>>, {1, 2})

Set ==
    FoldFunctionOnSet(
        LAMBDA a, b :
            LET c == a + b
                RECURSIVE R(_)
                R(n) == IF n <= 0 THEN {s \in SUBSET {b, c, 3} : c \in s} ELSE R(n - 1)
            IN  R(1),
        2, <<7>>, {1})

ASSUME PrintT(Function)
ASSUME PrintT(Set)
=============================================================================
