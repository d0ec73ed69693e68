\* An operator that the configuration gives as a table, and definitions that recur through each other, passed as arguments.
---- MODULE TableAsArgument ----
EXTENDS Naturals, Sequences
CONSTANT Weight(_), Limit
VARIABLE x

RECURSIVE Map(_, _)
Map(F(_), s) == IF s = <<>> THEN <<>> ELSE <<F(Head(s))>> \o Map(F, Tail(s))

Big(n) == n > Limit

EvenOnes(s) ==
    LET RECURSIVE Odd(_), Even(_)
        Odd(n) == IF n = 0 THEN FALSE ELSE Even(n - 1)
        Even(n) == IF n = 0 THEN TRUE ELSE Odd(n - 1)
    IN SelectSeq(s, Even)

Init == x \in {1, 2}
Next == Len(Map(Weight, <<x>>)) = 1 /\ Weight(x) = 10 /\ x' = Map(Weight, <<1, x>>)[2] \div 5

Inv == /\ Map(Weight, <<1, 2>>) = <<10, 20>>
       /\ SelectSeq(<<1, 2, 3>>, Big) = <<3>>
       /\ EvenOnes(<<1, 2, 3, 4, x>>) = (IF x = 2 THEN <<2, 4, 2>> ELSE <<2, 4>>)
====
