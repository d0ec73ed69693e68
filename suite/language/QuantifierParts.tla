---- MODULE QuantifierParts ----
\* Parts of the body of a quantifier that do not depend on its names: with others bound inside, in recursion, in what is
\* evaluated later, and where they have no value.
EXTENDS Integers, Sequences, FiniteSets
VARIABLES log, at

Server == {"a", "b"}
Init == log = [s \in Server |-> <<>>] /\ at = 0

Room(s) == \A n \in DOMAIN log[s] : log[s][n] <= Len(log[s]) + at

\* The same quantifier in each call, with another `s`, while the outer one is under way.
RECURSIVE Below(_, _)
Below(s, k) == k = 0 \/ \E n \in 0..Len(log[s]) : n + 1 = k /\ Len(log[s]) + k >= n /\ Below(s, n)

\* A set that is looked at inside of another quantifier over the same variable.
Lazy(s) == {n \in Nat : \E m \in DOMAIN log[s] : Len(log[s]) + m = n}
Looked(s, t) == \E n \in DOMAIN log[s] : Len(log[s]) + n \in Lazy(s) /\ (log[t] # <<>> => Len(log[t]) + 1 \in Lazy(t))

Nested(s) ==
  \A n \in DOMAIN log[s] : \E m \in n..Len(log[s]) : \A k \in m..Len(log[s]) :
    log[s][n] + Len(log[s]) <= log[s][k] + Len(log[s]) + at + 1

\* Head has no value, and is never needed.
Unneeded(s) == \A n \in DOMAIN log[s] : n > 0 \/ Head(log["b"]) = n

Add(s) == /\ Len(log[s]) < 2
          /\ \E v \in at..(at + 1) : Room(s) /\ log' = [log EXCEPT ![s] = Append(@, v)]
          /\ at' = IF \E n \in DOMAIN log'[s] : log'[s][n] > at + Len(log[s]) THEN at + 1 ELSE at

Next == \E s \in Server : Add(s)

Inv == \A s, t \in Server :
  /\ Below(s, Len(log[s]))
  /\ log[s] # <<>> => Looked(s, t)
  /\ Nested(s)
  /\ Unneeded(s)
  /\ SubSeq(log[s], 1, Len(log[s])) = SubSeq(log[t], 1, Len(log[t])) <=> log[s] = log[t]
====
