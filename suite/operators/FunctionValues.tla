--------------------------- MODULE FunctionValues ---------------------------
(* Functions are their graphs: how they are made, applied and compared, with *)
(* tuples and records as functions on 1..n and on strings, and with          *)
(* functions of several arguments as functions of tuples.                    *)
EXTENDS Naturals, FiniteSets, TLC

VARIABLE f

Square == [x \in 1..3 |-> x * x]
ASSUME Square[3] = 9
ASSUME DOMAIN Square = 1..3
ASSUME Square = <<1, 4, 9>>
ASSUME [x \in {} |-> x] = <<>>
ASSUME DOMAIN <<>> = {}
ASSUME [x \in {"a", "b"} |-> 1] = [a |-> 1, b |-> 1]
ASSUME DOMAIN [a |-> 1, b |-> 2] = {"b", "a"}
ASSUME [x \in {"only"} |-> 5].only = 5
ASSUME [only |-> 5]["only"] = 5

\* Not a sequence: its domain does not start at 1.
Shifted == [x \in 0..2 |-> x]
ASSUME Shifted # <<0, 1, 2>>
ASSUME Shifted[0] = 0

\* Several arguments, written in any of three ways.
Plus == [x \in 1..2, y \in 1..3 |-> 10 * x + y]
ASSUME Plus[2, 3] = 23 /\ Plus[<<2, 3>>] = 23
ASSUME DOMAIN Plus = (1..2) \X (1..3)
ASSUME Plus = [<<x, y>> \in (1..2) \X (1..3) |-> 10 * x + y]
ASSUME Plus = [p \in (1..2) \X (1..3) |-> 10 * p[1] + p[2]]
Same == [x, y \in 1..2 |-> x = y]
ASSUME Same[1, 1] /\ ~Same[1, 2]

\* Functions of functions.
Curried == [x \in 1..2 |-> [y \in 1..2 |-> x * y]]
ASSUME Curried[2][2] = 4
ASSUME Curried = <<<<1, 2>>, <<2, 4>>>>

\* Keys of any kind.
ASSUME [s \in SUBSET {1, 2} |-> Cardinality(s)][{1, 2}] = 2
ASSUME [b \in BOOLEAN |-> ~b][TRUE] = FALSE
ASSUME [x \in {<<1>>, <<2>>} |-> x[1]][<<2>>] = 2

\* A bound on Nat makes a rule; it can be applied, never listed.
ASSUME [n \in Nat |-> n + 1][41] = 42
ASSUME [n \in Nat, m \in Nat |-> n * m][6, 7] = 42

\* Named functions.
Double[n \in 0..5] == 2 * n
ASSUME Double[5] = 10
Add[m, n \in 0..2] == m + n
ASSUME Add[2, 1] = 3
Swap[<<a, b>> \in (1..2) \X (1..2)] == <<b, a>>
ASSUME Swap[<<1, 2>>] = <<2, 1>>

ASSUME PrintT(Square) /\ PrintT(Shifted) /\ PrintT(Curried) /\ PrintT([b \in BOOLEAN |-> ~b])

Init == f = [x \in 0..2 |-> 0]
Next == \E x \in DOMAIN f : f[x] < 2 /\ f' = [y \in DOMAIN f |-> IF y = x THEN f[y] + 1 ELSE f[y]]
Keeps == DOMAIN f = 0..2 /\ \A x \in 0..2 : f[x] \in 0..2
=============================================================================
