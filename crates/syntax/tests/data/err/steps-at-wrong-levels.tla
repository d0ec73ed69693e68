---- MODULE M ----
THEOREM a
<1> b
  <2> c
<1> QED
THEOREM d
<1> e
  <1>2. f OBVIOUS
  <3> QED
<2> QED
THEOREM g
<1> h
<+> QED
<99999999999> QED
====
