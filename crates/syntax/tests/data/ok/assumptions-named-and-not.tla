---- MODULE M ----
ASSUME x > 0
ASSUME Positive == x > 0
ASSUMPTION x > 0
AXIOM Named == x > 0
====
