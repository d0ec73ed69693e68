------------------------- MODULE RecursionInOperands ------------------------
(* A recursive operator inside an operand of an operand reads parameters   *)
(* two frames out: what calls it is no constant.                           *)
EXTENDS Integers, Sequences, SequencesExt, FiniteSetsExt

VARIABLE x

IsSmall(a, e) ==
    LET RECURSIVE Down(_)
        Down(n) == IF n > 1 THEN a % 3 = 0 /\ e = 5 ELSE Down(n + 1)
    IN  Down(0)

\* The same through a function.
IsSmallToo(a, e) ==
    LET RECURSIVE Down(_)
        Down(n) == IF n > 1 THEN LET f[k \in 0..2] == IF k = 0 THEN e = 5 ELSE f[k - 1] IN f[a % 3]
                   ELSE Down(n + 1)
    IN  Down(0)

Counted(s) == FoldLeft(LAMBDA a, b : a + Len(SelectSeq(s, LAMBDA e : IsSmall(a, e))), 0, <<1, 2>>)
CountedToo(s) == FoldSet(LAMBDA b, a : a + Len(SelectSeq(<<5>>, LAMBDA e : IsSmallToo(a, e))), x, {1, 2, 3})

Init == x = 0
Next == x' = (x + Counted(<<5>>) + CountedToo(<<5>>)) % 7
Values == /\ Counted(<<5>>) = 1
          /\ CountedToo(<<5>>) = x + 3
=============================================================================
