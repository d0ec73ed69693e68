---- MODULE M ----
THEOREM a
<1> b
  <+> c
  <*> QED
  <*> QED
<1> QED
====
