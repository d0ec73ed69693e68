---- MODULE GuardedExists ----
\* `\E` over many elements in an action and in a property of steps: conjuncts that do not depend on what is bound,
\* that depend on one of two names, and that come after one that cannot fail.
EXTENDS Integers, Sequences
CONSTANT N
VARIABLES x, y, sent

Limit == 5

Init == x = 0 /\ y = 0 /\ sent = <<>>

Send(i, range) ==
  /\ i # y
  /\ range[1] <= range[2]
  /\ x < Limit
  /\ range[1] = x + 1
  /\ LET size == range[2] - range[1]
     IN /\ size < 3
        /\ sent' = Append(sent, <<i, size>>)
  /\ x' = x + 1
  /\ UNCHANGED y

Jump ==
  /\ \E a, b \in 1..N : /\ a > b
                        /\ Len(sent) = 2
                        /\ b = N - 2
                        /\ y' = (a - b) % 3
  /\ UNCHANGED <<x, sent>>

\* What is asked ahead fails, and trying the elements never comes to it.
Never == \E a \in 1..N : /\ a > N
                         /\ Head(<<>>) = a
                         /\ x' = x /\ y' = y /\ sent' = sent

Next == (\E i \in 0..2 : \E b, e \in x + 1..N : Send(i, <<b, e>>)) \/ Jump \/ Never

Spec == Init /\ [][Next]_<<x, y, sent>>

Short == Len(sent) < 4

Steps == [][(\E i \in 0..2 : \E b, e \in 1..N : x' > x /\ Send(i, <<b, e>>)) \/ y' # y \/ UNCHANGED x]_<<x, y, sent>>
====
