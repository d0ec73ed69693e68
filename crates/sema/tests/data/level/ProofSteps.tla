---- MODULE ProofSteps ----
\* To prove a formula about a behaviour from what holds in one state, the latter must hold in all.
CONSTANT c
VARIABLES x, y
THEOREM []x
<1>1. HAVE x
<1>2. TAKE z \in y
<1>3. WITNESS x'
<1>4. CASE y
  <2>1. HAVE x = 1
  <2>2. QED
<1>5. PICK w \in x : []y
<1>6. x = y
  <2>1. HAVE x
  <2>2. CASE y
  <2>3. QED
<1>7. QED
  <2>1. HAVE c
  <2>2. QED
THEOREM x
<1>1. HAVE y'
<1>2. TAKE z \in y
<1>3. QED
THEOREM ASSUME NEW a \in []x, NEW STATE s, NEW ACTION b, s, b' PROVE c
====
