---- MODULE CompiledRest ----
\* What comes after a choice, and long definitions, are functions of their own in code: the values that they read must be
\* those of the way that comes to them, also in loops, in several ways and through operator arguments.
EXTENDS Integers, Sequences, FiniteSets, TLC, Bags
CONSTANT Node, Value
VARIABLES state, queue, bag, last, best
vars == <<state, queue, bag, last, best>>

Long(a, b, c) ==
    LET sum == a + b + c
        pairs == {<<x, y>> \in (0..2) \X (0..2) : x + y = sum % 5}
        most == IF pairs = {} THEN 0 ELSE CHOOSE m \in {p[1] * p[2] : p \in pairs} : \A p \in pairs : p[1] * p[2] <= m
        small == {x \in 0..4 : \E p \in pairs : x = p[1]}
    IN IF sum > 3 THEN most + Cardinality(small) ELSE Cardinality(pairs) + (IF small = {} THEN 1 ELSE 2)

Apply(Op(_, _), s) == {Op(x, y) : x \in s, y \in s}
Init == /\ state = [n \in Node |-> [role |-> "f", term |-> 0]]
        /\ queue = <<>> /\ bag = EmptyBag /\ last = 0 /\ best = {}

Step(n) ==
    \E v \in Value, k \in 0..1 :
        /\ state[n].term + k <= 1
        /\ LET score == Long(v, k, state[n].term)
               other == Long(score, v, 1)
               after == state'[n].term * 2 + score
           IN /\ \/ /\ k = 0
                    /\ state' = [state EXCEPT ![n].role = IF score > 2 THEN "l" ELSE "c"]
                 \/ /\ k = 1
                    /\ state' = [state EXCEPT ![n] = [role |-> "f", term |-> @.term + 1]]
                 \/ /\ score > other
                    /\ state' = [state EXCEPT ![n].term = 0]
              /\ IF other % 2 = 0
                 THEN \/ bag' = bag
                      \/ bag' = bag (+) SetToBag({<<n, score>>}) /\ BagCardinality(bag) < 1
                 ELSE bag' = IF BagIn(<<n, 1>>, bag) THEN bag (-) SetToBag({<<n, 1>>}) ELSE bag
              /\ CASE after = 0 -> last' \in {0, 1}
                   [] after > 6 -> last' = Long(after, score, Cardinality(BagToSet(bag')))
                   [] OTHER -> last' = after % 3
              /\ best' = {x \in Apply(LAMBDA a, b : (a + b * k + score) % 3, {0, v}) : x # Long(x, last', v) % 3}
              /\ queue' = IF Len(queue) < 1 THEN Append(queue, <<last', k>>) ELSE Tail(queue)

Swap ==
    /\ queue # <<>>
    /\ LET a == queue[1][1]
           b == queue[1][2]
       IN \A n \in Node : IF n = CHOOSE m \in Node : TRUE THEN last' = a + b ELSE last' = a + b /\ best' = {a}
    /\ queue' = <<>>
    /\ \A n \in Node : state[n].role # "l" => Long(state[n].term, last', Cardinality(best')) < 9
    /\ \E n \in Node : \E r \in {"f", "c", "l"} : state' = [state EXCEPT ![n].role = r]
    /\ UNCHANGED bag

Next == (\E n \in Node : Step(n)) \/ Swap \/ (TLCGet("level") < 0 /\ UNCHANGED vars)
Spec == Init /\ [][Next]_vars
Bounded == last < 20 /\ \A x \in best : x \in 0..9
====
