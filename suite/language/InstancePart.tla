---------------------------- MODULE InstancePart ----------------------------
(* For InstanceInLet.                                                        *)
EXTENDS Naturals
CONSTANT c
VARIABLE v

Twice == 2 * c + v
Sum(a) == a + c + v
RECURSIVE Down(_)
Down(n) == IF n = 0 THEN c ELSE Down(n - 1) + 1
fn[i \in 0..5] == IF i = 0 THEN c ELSE fn[i - 1] + v
Step == v' = v + c
=============================================================================
