--------------------------- MODULE WalkedFunction ---------------------------
(* A function that is written out or recursive, applied as a part of a step: *)
(* its body is walked like that of a definition. It may assign, and each of  *)
(* its choices makes a successor. A function given by its values is a test.  *)
(* Each configuration takes one form of the same step.                       *)
EXTENDS Naturals

CONSTANT Form
VARIABLES x, table

Choices[n \in 0..3] == IF n = 0 THEN TRUE ELSE \E i \in 1..n : (i >= x + n \/ Choices[n - 1])
Made == [i \in {1, 2} |-> TRUE \/ i > x]
Maker(k) == [i \in {1, 2} |-> i > k \/ i < 9 + x]
Pick(f, i) == f[i]
Ask[i, j \in {1, 2}] == i > x \/ j > x

Step ==
    CASE Form = "recursive" -> Choices[3] /\ x' = 1
      [] Form = "let recursive" ->
            LET F[n \in 0..2] == n = 0 \/ (n > 0 /\ \E i \in 1..2 : F[n - 1] /\ i > x) IN F[2] /\ x' = 1
      [] Form = "written out" -> [i \in {1, 2} |-> TRUE \/ i > x][1] /\ x' = 1
      [] Form = "name" -> Made[2] /\ x' = 1
      [] Form = "let" -> LET f == [i \in {1, 2} |-> i > x \/ i < 3] IN f[1] /\ f[2] /\ x' = 1
      [] Form = "operator" -> Maker(0)[1] /\ Maker(x)[2] /\ x' = 1
      [] Form = "argument" -> Pick([i \in {1, 2} |-> i > x \/ i < 3], 1) /\ x' = 1
      [] Form = "two arguments" -> Ask[1, 2] /\ x' = 1
      [] Form = "values" -> table[1] /\ x' = 1
      [] Form = "assigns" -> [i \in {1, 2} |-> x' = i \/ x' = i + 1][1]
      [] Form = "if" -> (IF x = 0 THEN Made ELSE table)[1] /\ x' = 1
      [] Form = "nested" -> [i \in {1, 2} |-> [j \in {1, 2} |-> i > x \/ j > x]][1][2] /\ x' = 1

Init == x = 0 /\ table = [i \in {1, 2} |-> TRUE \/ i > x]
Next == x = 0 /\ Step /\ UNCHANGED table
Range == x \in 0..2
=============================================================================
