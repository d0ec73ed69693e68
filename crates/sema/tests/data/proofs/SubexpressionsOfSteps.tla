---- MODULE SubexpressionsOfSteps ----
CONSTANT S
THEOREM Main == \A x \in S : x = x
<1>1. SUFFICES ASSUME NEW x \in S PROVE x = x /\ TRUE OBVIOUS
<1>2. x = x /\ TRUE
  <2>1. CASE x = 1 /\ FALSE
    <3>1. <2>1!1!1 OBVIOUS
    <3>2. QED BY <3>1
  <2>2. QED BY <2>1!1
<1>3. <1>2!1 BY <1>2!2, <1>1!1!2, <1>1!1!1
<1>4. PICK y \in S : lab(y) :: y = x OBVIOUS
<1>5. <1>4!(1) /\ <1>4!lab(2) OBVIOUS
<1>6. QED BY Main!1, Main!(1)
====
