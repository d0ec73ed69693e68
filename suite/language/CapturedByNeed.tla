--------------------------- MODULE CapturedByNeed ---------------------------
(* A recursive function or lazy set takes along what the names around it   *)
(* stand for. What has no value there is no error unless it is needed,     *)
(* what has effects is not evaluated in another place, and operators of a  *)
(* LET that the body calls take their own names along.                     *)
EXTENDS Integers, Sequences, FiniteSets, TLC

VARIABLE x

Checked(v) == IF v < 1 THEN Assert(FALSE, v) ELSE v
Batch(n) == LET F[i \in 0..1] == IF i = 0 THEN <<>> ELSE Append(F[i - 1], Checked(n)) IN F[1]
Copied(ms) == LET F[i \in 0..1] == IF i = 0 THEN <<>> ELSE Append(F[i - 1], ms[i]) IN F[1]

\* An argument with effects, read in a function through another one.
Effects == \E source \in 1..2 : LET m == source + 1 IN m > 0 /\ x' = Copied(Batch(m))

\* A definition that has no value, and is not needed.
First(S) ==
    LET first == CHOOSE y \in S : TRUE
        F[i \in 0..3] == IF S = {} THEN 0 ELSE IF i = 0 THEN first ELSE F[i - 1]
    IN  F[3]
Around(S) == LET first == CHOOSE y \in S : TRUE IN {p \in SUBSET (1..3) : S = {} \/ first \in p}
Unneeded == x' = <<First({}), First({4}), {} \in Around({}), {} \in Around({2}), {2} \in Around({2})>>

\* The same of an argument of a recursive operator.
RECURSIVE Last(_, _)
Last(s, h) == IF s = <<>> THEN {t \in SUBSET {1, 2} : s # <<>> => h \in t}
              ELSE Last(Tail(s), Head(Tail(s)))
Arguments == x' = <<Cardinality(Last(<<1, 2>>, 0))>>

\* Recursive operators of a LET, which read what the function around them does not.
Called(S) ==
    LET RECURSIVE G(_)
        G(n) == IF n = 0 THEN S ELSE G(n - 1) + 1
        f[i \in 0..2] == IF i = 0 THEN 0 ELSE G(i) + f[i - 1]
        sets == {s \in SUBSET (1..3) : \A e \in s : G(e) > 3}
    IN  <<f[2], {2} \in sets, {1} \in sets>>
Calls == \E k \in 1..2 : x' = Called(k + Len(x))

\* ENABLED of an action with an argument that is captured.
Possible(p) == LET F[i \in 0..3] == IF i = 0 THEN ENABLED p ELSE F[i - 1] IN F[2]
Enables == \E k \in 1..2 : Possible(x' = <<k>>) /\ x' = <<"enabled", k>>

Init == x = <<>>
Next == x = <<>> /\ (Effects \/ Unneeded \/ Arguments \/ Calls \/ Enables)
=============================================================================
