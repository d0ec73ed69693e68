---- MODULE CompiledCalls ----
\* Calls in actions: recursive operators, operators and LAMBDAs as arguments, folds, definitions that read the next state,
\* effects that are never reached. Code and interpreter must find the same steps.
EXTENDS Integers, Sequences, FiniteSets, TLC, FiniteSetsExt, SequencesExt, Functions
CONSTANT Node
VARIABLES log, votes, seen, note
vars == <<log, votes, seen, note>>

RECURSIVE Sum(_)
Sum(s) == IF s = <<>> THEN 0 ELSE Head(s) + Sum(Tail(s))

RECURSIVE Reduce(_, _, _)
Reduce(Op(_, _), s, acc) == IF s = {} THEN acc ELSE LET x == CHOOSE x \in s : TRUE IN Reduce(Op, s \ {x}, Op(x, acc))

RECURSIVE IsEven(_), IsOdd(_)
IsEven(n) == IF n = 0 THEN TRUE ELSE IsOdd(n - 1)
IsOdd(n) == IF n = 0 THEN FALSE ELSE IsEven(n - 1)

Update(f, k, Op(_)) == (k :> Op(f[k])) @@ f
Twice(Op(_), x) == Op(Op(x))
Total == FoldFunction(LAMBDA s, acc : Len(s) + acc, 0, log)
Grown == \E n \in Node : Len(log'[n]) > Len(log[n])
Largest == FoldSet(LAMBDA n, acc : IF Sum(log[n]) > acc THEN Sum(log[n]) ELSE acc, 0, Node)
LargestNext == FoldSet(LAMBDA n, acc : IF Sum(log'[n]) > acc THEN Sum(log'[n]) ELSE acc, 0, Node)

Init == log = [n \in Node |-> <<>>] /\ votes = {} /\ seen = 0 /\ note = <<>>

Add(n) ==
    /\ Total < 4
    /\ \E v \in 1..2 :
        /\ log' = Update(log, n, LAMBDA s : Append(s, v))
        /\ LET big == LargestNext
               grew == Grown
           IN /\ seen' = IF grew THEN big ELSE seen
              /\ note' = SelectSeq(log'[n], LAMBDA x : x > 1)
    /\ Assert(Largest >= 0, "never")
    /\ UNCHANGED votes

Vote(n) ==
    /\ IsEven(Len(log[n]))
    /\ \A m \in Node \ {n} : \/ Len(log[m]) <= Len(log[n])
                             \/ m \in votes
                             \/ FALSE
    /\ votes' = votes \cup {n}
    /\ IF Cardinality(votes') > 3 THEN PrintT("never") ELSE TRUE
    /\ seen' = Twice(LAMBDA x : (x + 1) % 3, seen)
    /\ note' = [i \in 1..Cardinality(votes') |-> Reduce(LAMBDA x, acc : acc + Len(log[x]), votes', 0)]
    /\ UNCHANGED log

Merge ==
    /\ Quantify(Node, LAMBDA n : log[n] # <<>>) > 1
    /\ \A n \in Node : \/ n \in votes /\ votes' = {}
                       \/ n \notin votes /\ votes' = Node
    /\ log' = [n \in Node |-> FoldLeft(LAMBDA acc, x : <<x>> \o acc, <<>>, log[n])]
    /\ \/ seen' = 0
       \/ seen' = Largest
    /\ CASE Largest = 0 -> note' = <<>>
         [] Largest = 1 -> note' \in {<<>>, <<1>>}
         [] OTHER -> note' = note

Next == (\E n \in Node : Add(n) \/ Vote(n)) \/ Merge
Spec == Init /\ [][Next]_vars
Small == seen <= 8 /\ Reduce(LAMBDA n, acc : acc + Sum(log[n]), Node, 0) <= 100
====
