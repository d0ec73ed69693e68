--------------------------- MODULE LetDefinitions ---------------------------
(* LET: values, operators and functions with a name that ends with IN; names *)
(* that see each other; a LET around a part of an action.                    *)
EXTENDS Naturals, Sequences

VARIABLES x, y

ASSUME (LET a == 3 IN a * a) = 9
ASSUME (LET a == 3  b == a + 1 IN a * b) = 12
ASSUME (LET f(u) == u + 1 IN f(f(1))) = 3
ASSUME (LET sq[i \in 1..4] == i * i IN sq[4]) = 16
ASSUME (LET a == 1 IN LET b == a + 1 IN a + b) = 3
ASSUME (LET fact[n \in 0..5] == IF n = 0 THEN 1 ELSE n * fact[n - 1] IN fact[5]) = 120
ASSUME (LET u (+) v == 10 * u + v IN 1 (+) 2) = 12
ASSUME (LET Op(_f(_), v) == _f(_f(v))
            inc(v) == v + 1
        IN Op(inc, 5)) = 7
\* IN reaches as far as it can.
ASSUME (LET a == 2 IN a + 1) * 2 = 6
ASSUME 10 + (LET a == 2 IN a + 1) = 13
\* The same name may be used again beside it.
ASSUME (LET a == 1 IN a) + (LET a == 2 IN a) = 3
ASSUME (LET RECURSIVE Sum(_)
            Sum(s) == IF s = <<>> THEN 0 ELSE Head(s) + Sum(Tail(s))
        IN Sum(<<1, 2, 3>>)) = 6
\* What is defined and not used is not evaluated.
ASSUME LET bad == Head(<<>>) IN TRUE

Init == LET start == 2 IN x = start /\ y = start - 2
Move ==
    LET total == x + y
        Half(n) == n \div 2
    IN  /\ total < 9
        /\ LET next == Half(total) + 1 IN x' = next /\ y' = total
Back == LET nx == x' IN x' = 0 /\ y' = nx + 1 /\ x # 0
Next == Move \/ Back
Small == x + y < 20
=============================================================================
