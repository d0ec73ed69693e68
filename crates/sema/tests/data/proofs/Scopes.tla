---- MODULE Scopes ----
CONSTANT S
\* Where the names of a step are known, and where not.
THEOREM T == ASSUME NEW a PROVE a = a
<1>1. a = a OBVIOUS
<1>2. ASSUME NEW b PROVE b = b
  <2>1. b = b OBVIOUS
  <2>2. QED BY <2>1
<1>3. b = b OBVIOUS
<1>4. SUFFICES ASSUME NEW c PROVE c = c
  <2>1. c = c OBVIOUS
  <2>2. QED OBVIOUS
<1>5. c = c BY <2>1
<1>6. PICK d \in S : d = d
  <2>1. d = d OBVIOUS
  <2>2. QED OBVIOUS
<1>7. d = d OBVIOUS
<1>8. QED
After == a
====
