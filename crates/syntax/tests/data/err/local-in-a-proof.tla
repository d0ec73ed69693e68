---- MODULE M ----
THEOREM a
<1> DEFINE LOCAL b == 1
<1> QED
====
