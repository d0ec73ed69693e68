---------------------------- MODULE SameCodeTwice ---------------------------
(* A step in which one formula is used twice while its first use has choices *)
(* left: what the second use binds must not be seen by the first. Choices    *)
(* among constants count like others when they are written out, and not when *)
(* they have a name. Each configuration takes one form of the same step.     *)
EXTENDS Naturals

CONSTANT Form
VARIABLES x, y

Some == \E i \in 1..2 : x' = i \/ x' = i + 10
Any == \E i \in 1..3, j \in {x + 1, x + 2} : i > j \/ i < j
Twice(A) == A /\ A
Constantly == \E i \in 1..3 : i > 1
Pairs == {<<1, 1>>, <<2, 1>>, <<2, 2>>}

Step ==
    CASE Form = "name" -> Some /\ Some /\ y' = 0
      [] Form = "name, tested" -> y' = 0 /\ Some /\ Some
      [] Form = "let" -> LET A == \E i \in 1..2 : x' = i \/ x' = i + 10
                         IN y' = 0 /\ A /\ A
      [] Form = "parameter" -> Twice(\E i \in 1..2 : x' = i \/ x' = i + 10) /\ y' = 0
      [] Form = "two names" -> Any /\ Any /\ x' = 1 /\ y' = 0
      [] Form = "all of exists" -> /\ \A n \in {1, 2} : \E p \in Pairs : p[1] >= n \/ p[2] < x
                                   /\ x' = 1
                                   /\ y' = 0
      [] Form = "all of or" -> /\ \A n \in {1, 2} : \E p \in Pairs : p[1] = n \/ p[2] = n + x
                               /\ x' = 1
                               /\ y' = 0
      [] Form = "all, tested" -> /\ y' = 0
                                 /\ \A n \in {1, 2} : \E p \in Pairs : x' = p[2] \/ x' = p[1] + n
      [] Form = "constant" -> (\E i \in 1..3 : i > 1) /\ (TRUE \/ TRUE) /\ x' = 1 /\ y' = 0
      [] Form = "constant all" -> (\A i \in 1..3 : i > 0 \/ i < 3) /\ x' = 1 /\ y' = 0
      [] Form = "constant name" -> Constantly /\ x' = 1 /\ y' = 0

Init == x = 0 /\ y = 0
Next == x = 0 /\ Step
Range == x \in 0..12
=============================================================================
