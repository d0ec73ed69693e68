---- MODULE Good ----
EXTENDS Naturals
CONSTANT S
Inv(n) == n \in S
THEOREM Main == ASSUME NEW n \in S, Inv(n) PROVE \A m \in S : m = n
PROOF
<1> DEFINE P(k) == k = n
           Q == P(n)
<1>1. P(1) => Q
  <2>1. CASE n = 1
    BY <2>1 DEF P
  <2>2. QED BY <2>1
<1>2. SUFFICES ASSUME NEW j \in S PROVE j = n
  OBVIOUS
<1>3. PICK w \in S : w = j
  BY <1>2
<1>4. ASSUME NEW y \in S PROVE y = w
  <2>1. y = w BY <1>3
  <2>2. @ = j BY <2>1
  <2>3. QED BY <2>1, <2>2
<1>5. \A z \in S : z = w
  <2>1. TAKE t \in S
  <2>2. HAVE t = w
  <2>3. QED
<1>6. \E u \in S : u = w
  <2>1. WITNESS w \in S
  <2>2. QED OBVIOUS
<1> HIDE DEF P
<1> USE <1>4
<1>7. QED BY <1>1, <1>2, <1>3, <1>4, <1>5, Main DEF Inv
====
