---- MODULE M ----
THEOREM a
<*> b
  <+>1. c
    <+> d
    <*> QED BY <*>x
  <*>2. e
  <*> QED
<0> f
<*> QED
THEOREM g
PROOF
  <5>1. h
    <7> QED BY <5>1
  <5>. QED BY <5>1
====
