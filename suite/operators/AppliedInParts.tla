---- MODULE AppliedInParts ----
(* `f[x][y]` needs one value of f: that another one has no value is no error, also where f is a constant, a
   definition of a LET, mutually recursive, an argument, or one of several by CASE. *)
EXTENDS Integers

Table == [i \in 0..2 |-> IF i = 0 THEN [a |-> 1, b |-> 2] ELSE 1 \div 0]

Mutual ==
  LET RECURSIVE f
      g[i \in 0..3] == IF i = 0 THEN 1 \div i ELSE f[i - 1]
      f[i \in 0..3] == IF i = 0 THEN [a |-> 3] ELSE g[i - 1]
  IN f

Curried == [i \in 0..2 |-> [j \in 0..2 |-> [k \in 0..2 |-> i \div (j * k)]]]

At(h, i) == h[i]["a"]
Choice(i) == CASE i = 0 -> Mutual [] i = 1 -> Table
Pass(H(_), i) == H(i)[0]["a"]

ASSUME Table[0]["a"] = 1
ASSUME Table[0].b = 2
ASSUME Mutual[0]["a"] = 3
ASSUME Mutual[2]["a"] = 3
ASSUME (LET RECURSIVE f
            g[i \in 0..3] == IF i = 0 THEN DOMAIN {} ELSE f[i - 1]
            f[i \in 0..3] == IF i = 0 THEN <<<<5>>, 6>> ELSE g[i - 1]
        IN f[0])[1][1] = 5
ASSUME Curried[2][2][1] = 1
ASSUME (LET c == Curried IN c[2][1])[2] = 1
ASSUME At(Table, 0) = 1 /\ At(Mutual, 2) = 3
ASSUME Choice(0)[0]["a"] = 3 /\ Choice(1)[0]["a"] = 1
ASSUME Pass(Choice, 0) = 3
ASSUME (IF Table[0].a = 1 THEN Mutual ELSE Table)[0]["a"] = 3

VARIABLE x

Init == x = 0
Next == \/ x < 2 /\ x' = x + Table[x - x]["a"]
        \/ x = 2 /\ x' = Mutual[x]["a"]
        \/ x = 3 /\ x' = LET h == [i \in 0..x |-> [j \in 0..x |-> x \div i]] IN h[1][0] + 1
====
