---- MODULE M ----
THEOREM Thm == x
<1>1. y
  <2>a. z BY <1>1
  <2>b. w
    <3> QED OBVIOUS
  <2> QED BY <2>a, <2>b
<1>2. v
  PROOF OMITTED
<1>3. QED
  BY <1>1, <1>2
after == 1
====
