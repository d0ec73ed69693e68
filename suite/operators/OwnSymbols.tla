----------------------------- MODULE OwnSymbols -----------------------------
(* Operators of one's own with symbols: between, before and after their      *)
(* operands, and how tightly they bind.                                      *)
EXTENDS Naturals, Sequences

VARIABLES n

a (+) b == (a + b) % 7
a ## b == a * 10 + b
a ++ b == a \o b
a && b == <<a, b>>
a \prec b == a < b
a \uplus b == {a} \cup {b}
a |- b == b = a + 1
x^+ == x + 1
x^* == 2 * x
a $ b == IF a < b THEN a ELSE b

ASSUME 5 (+) 4 = 2
ASSUME 1 ## 2 = 12
ASSUME <<1>> ++ <<2>> = <<1, 2>>
ASSUME (1 && 2) = <<1, 2>>
ASSUME 1 \prec 2
ASSUME 1 \uplus 1 = {1}
ASSUME 3 |- 4
ASSUME 5^+ = 6
ASSUME 5^* = 10
ASSUME 4^+^* = 10
ASSUME 2 * 3^+ = 8
ASSUME 8 $ 3 = 3
\* (+) goes from the left.
ASSUME 6 (+) 6 (+) 6 = 4

Init == n = 1
Next == n' = n (+) 3 \/ n' = n^+ (+) 0
Mod7 == n \in 0..6
=============================================================================
