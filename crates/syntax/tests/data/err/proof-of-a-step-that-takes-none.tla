---- MODULE M ----
THEOREM a
<1> HAVE b
  OBVIOUS
<1> QED
====
