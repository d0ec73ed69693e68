----------------------------- MODULE Arithmetic -----------------------------
(* Whole numbers: division rounds down also below zero, the remainder is     *)
(* never negative, minus in front of a product or quotient belongs to the    *)
(* whole of it but in front of % to the number. Powers, comparisons, and     *)
(* literals in other bases.                                                  *)
EXTENDS Integers

VARIABLE n

ASSUME 2 + 3 * 4 = 14 /\ (2 + 3) * 4 = 20
ASSUME 10 - 4 - 3 = 3
ASSUME 2 - 5 = -3 /\ 0 - 0 = 0
ASSUME -(-4) = 4
ASSUME - 3 + 5 = 2
ASSUME 3 - -2 = 5

\* \div rounds towards minus infinity.
ASSUME 7 \div 2 = 3
ASSUME (-7) \div 2 = -4
ASSUME 7 \div (-2) = -4
ASSUME (-7) \div (-2) = 3
ASSUME 6 \div (-3) = -2
ASSUME (-6) \div 3 = -2
\* The minus is applied last here ...
ASSUME -7 \div 2 = -3
ASSUME -2 * 3 = -6
\* ... and first here.
ASSUME -7 % 2 = 1

ASSUME 7 % 3 = 1
ASSUME (-7) % 3 = 2
ASSUME (-6) % 3 = 0
ASSUME 0 % 5 = 0
ASSUME 5 % 1 = 0
ASSUME \A a \in -12..12, b \in 1..5 : a = b * (a \div b) + (a % b)
ASSUME \A a \in -12..12, b \in 1..5 : a % b \in 0..(b - 1)

ASSUME 2 ^ 10 = 1024 /\ 7 ^ 0 = 1 /\ 0 ^ 3 = 0
ASSUME (-2) ^ 3 = -8 /\ (-2) ^ 2 = 4
ASSUME -2 ^ 2 = -4
ASSUME 1 ^ 30 = 1
ASSUME 2 ^ 3 * 2 = 16

ASSUME 1 < 2 /\ ~(2 < 2) /\ 2 <= 2 /\ 2 =< 2 /\ 2 \leq 2 /\ 3 > 2 /\ 3 >= 3 /\ 3 \geq 3
ASSUME -1 < 0 /\ -5 < -4

ASSUME \b1011 = 11 /\ \B11 = 3 /\ \o17 = 15 /\ \O10 = 8 /\ \hff = 255 /\ \H1F = 31
ASSUME 007 = 7

ASSUME 2147483647 - 1 = 2147483646
ASSUME -2147483647 - 1 < -2147483647
ASSUME 46340 * 46340 = 2147395600

ASSUME -3 \in Int /\ -3 \notin Nat /\ 0 \in Nat

Init == n \in {-7, 7}
Halve == n # 0 /\ n' = n \div 2
Wrap == n' = (n - 3) % 5
Next == Halve \/ Wrap
InRange == n \in -7..7
=============================================================================
