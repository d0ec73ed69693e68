------------------------------ MODULE CompiledPieces ------------------------------
(* Compiled code takes an action apart at choices. A choice in one branch of IF, of  *)
(* CASE or of => is none of the other branch: each step is found once for each way,  *)
(* however many ways the other branch has. Functions that apply themselves, filtered *)
(* sets of subsets and a bag of records are compiled, too.                           *)
EXTENDS Naturals, Sequences, FiniteSets, TLC

CONSTANT Server

VARIABLES level, vote, bag, group

vars == <<level, vote, bag, group>>

Limit == 3

Majorities(S) == {Q \in SUBSET S : Cardinality(Q) * 2 > Cardinality(S)}

Sum(f, S) ==
    LET Rest[T \in SUBSET S] ==
            IF T = {} THEN 0
            ELSE LET x == CHOOSE x \in T : TRUE IN f[x] + Rest[T \ {x}]
    IN  Rest[S]

Doubled(n) ==
    LET D[i \in 0..n] == IF i = 0 THEN 1 ELSE D[i - 1] + D[i - 1] IN D[n]

Put(m) == IF m \in DOMAIN bag THEN [bag EXCEPT ![m] = @ + 1] ELSE bag @@ (m :> 1)

(* A definition over both states that every action evaluates. *)
Fair ==
    /\ \A s \in Server : level'[s] <= Limit + 1
    /\ \A s, t \in Server :
          \/ vote'[s] = vote[s]
          \/ vote'[t] \in Server
          \/ level'[s] + level'[t] >= level[s]
    /\ Sum(level', Server) <= Cardinality(Server) * (Limit + 1)
    /\ \A m \in DOMAIN bag' : bag'[m] > 0 /\ m.from \in Server
    /\ \E Q \in Majorities(group') : \A s \in Q : level'[s] >= 0

Raise(s) ==
    /\ level[s] < Limit
    /\ level' = [level EXCEPT ![s] = @ + 1]
    /\ \/ /\ vote' = [vote EXCEPT ![s] = s]
          /\ bag' = bag
       \/ /\ vote' = vote
          /\ Sum(bag, DOMAIN bag) < 2
          /\ bag' = Put([from |-> s, level |-> Doubled(level[s])])
    /\ group' = group
    /\ Fair

Follow(s) ==
    \E m \in DOMAIN bag :
        /\ m.from # s
        /\ m.level >= Doubled(level[s])
        /\ vote' = [vote EXCEPT ![s] = m.from]
        /\ bag' = [k \in (DOMAIN bag) \ {m} |-> bag[k]]
        /\ UNCHANGED <<level, group>>
        /\ Fair

Shrink(s) ==
    /\ s \in group
    /\ \E Q \in Majorities(group) : Q # group /\ s \notin Q /\ group' = Q
    /\ UNCHANGED <<level, vote, bag>>
    /\ Fair

Step(s) ==
    IF level[s] > 0
    THEN \/ Raise(s)
         \/ Shrink(s)
         \/ Follow(s)
    ELSE \/ Raise(s)
         \/ Follow(s)

Again(s) ==
    CASE vote[s] = s -> Raise(s) \/ Shrink(s)
      [] vote[s] # s /\ level[s] > 1 -> Follow(s) \/ Raise(s)
      [] OTHER -> Follow(s)

Init ==
    /\ level = [s \in Server |-> 0]
    /\ vote = [s \in Server |-> "none"]
    /\ bag = <<>>
    /\ group = Server

Next ==
    /\ Cardinality(group) > 0
    /\ \/ \E s \in Server : Step(s)
       \/ /\ \A s \in Server : level[s] < Limit
          /\ \E s \in Server : Again(s) \/ Step(s)
       \/ \E s \in Server : (level[s] = 1 => Raise(s) \/ Follow(s)) /\ (level[s] # 1 => Step(s))

Bounded == Sum(bag, DOMAIN bag) <= 2

Spec == Init /\ [][Next]_vars
===================================================================================
