---------------------------- MODULE SequenceOps -----------------------------
(* Sequences: taking apart, putting together, selecting. Any function on     *)
(* 1..n is one.                                                              *)
EXTENDS Naturals, Sequences, FiniteSets

VARIABLES queue, done

ASSUME Len(<<>>) = 0 /\ Len(<<5, 5>>) = 2
ASSUME Head(<<1, 2, 3>>) = 1 /\ Tail(<<1, 2, 3>>) = <<2, 3>>
ASSUME Tail(<<1>>) = <<>>
ASSUME Append(<<>>, 1) = <<1>> /\ Append(<<1>>, <<2>>) = <<1, <<2>>>>
ASSUME <<1>> \o <<2, 3>> = <<1, 2, 3>>
ASSUME <<>> \o <<>> = <<>>
ASSUME <<1>> \circ <<2>> = <<1, 2>>
ASSUME <<1, 2>>[2] = 2
ASSUME DOMAIN <<"a", "b">> = {1, 2}

Even(n) == n % 2 = 0
ASSUME SelectSeq(<<1, 2, 3, 4, 4>>, Even) = <<2, 4, 4>>
ASSUME SelectSeq(<<1, 3>>, Even) = <<>>
ASSUME SelectSeq(<<5, 1, 7>>, LAMBDA n : n > 3) = <<5, 7>>

\* Functions on 1..n are sequences.
Five == [i \in 1..5 |-> i * i]
ASSUME Len(Five) = 5 /\ Head(Five) = 1 /\ Tail(Five)[1] = 4
ASSUME Append([i \in 1..2 |-> 0], 1) = <<0, 0, 1>>
ASSUME Len([i \in {} |-> i]) = 0

\* Seq(S) can be asked, not listed.
ASSUME <<1, 2, 1>> \in Seq({1, 2}) /\ <<3>> \notin Seq({1, 2}) /\ <<>> \in Seq({})
ASSUME <<<<>>, <<1>>>> \in Seq(Seq(Nat))
ASSUME [i \in 1..3 |-> i] \in Seq(Nat)

\* Order: shorter first, then from the left.
ASSUME (CHOOSE s \in {<<2>>, <<1, 1>>, <<1>>} : TRUE) = <<1>>
ASSUME (CHOOSE s \in {<<1, 2>>, <<9>>, <<1, 1>>} : TRUE) = <<9>>
ASSUME (CHOOSE s \in {<<1, 2>>, <<2, 0>>, <<1, 1>>} : Len(s) = 2) = <<1, 1>>

Jobs == {"p", "q", "r"}
Init == queue = <<>> /\ done = <<>>
Enter(j) == Len(queue) < 2 /\ queue' = Append(queue, j) /\ UNCHANGED done
Serve == queue # <<>> /\ Len(done) < 2 /\ done' = done \o <<Head(queue)>> /\ queue' = Tail(queue)
Next == Serve \/ \E j \in Jobs : Enter(j)
Ordered == queue \in Seq(Jobs) /\ done \in Seq(Jobs) /\ Len(queue) + Len(done) <= 4
=============================================================================
