-------------------------- MODULE PrimedExpressions -------------------------
(* A prime after any state expression: all its variables mean their values   *)
(* in the next state, once those are known.                                  *)
EXTENDS Naturals, Sequences

VARIABLES x, y, f

Sum == x + y
Plus(k) == x + k
At == f[x]
Pair == <<x, y>>

Init == x = 1 /\ y = 1 /\ f = <<1, 2, 3>>

Grow ==
    /\ x < 3
    /\ x' = x + 1
    /\ y' = y
    /\ (x + y)' = x + 1 + y'
    /\ Sum' = Sum + 1
    /\ f' = f
Turn ==
    /\ x < 3
    /\ f' = [f EXCEPT ![x] = @ + 1]
    /\ UNCHANGED Pair
    /\ At' = At + 1
    /\ f'[x] = f[x] + 1
    /\ f[x]' = f'[x]
    /\ Head(f)' >= Head(f)
Carry ==
    /\ y < 2
    /\ y' = y + 1 /\ x' = y' - 1
    /\ Plus(1)' = y'
    /\ Pair' = <<x', y'>>
    /\ UNCHANGED f
    /\ Len(f)' = 3
Next == Grow \/ Turn \/ Carry
Small == x <= 3
LimitF == \A i \in 1..3 : f[i] <= i + 1
=============================================================================
