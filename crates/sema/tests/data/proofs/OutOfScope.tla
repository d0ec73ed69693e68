---- MODULE OutOfScope ----
THEOREM T == ASSUME NEW c, lab :: c = 1, NEW d PROVE c = d
<1>1. T!2 /\ T!lab BY T!1, T!4, T!lab
<1>2. ASSUME NEW e, e = 1 PROVE e = 2
  <2>1. <1>2!2 OBVIOUS
  <2>2. QED
<1>3. <1>2!2
<1>4. SUFFICES ASSUME NEW g, g = 1 PROVE g = 2
  <2>1. <1>4!1!2 OBVIOUS
  <2>2. QED
<1>5. <1>4!1!2
<1>6. QED
THEOREM T!2 /\ T!lab BY T!1, T!4, T!lab
THEOREM T!1
====
