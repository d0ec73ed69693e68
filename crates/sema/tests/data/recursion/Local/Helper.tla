---- MODULE Helper ----
RECURSIVE Hidden(_)
LOCAL Hidden(n) == IF n THEN 0 ELSE Hidden(TRUE)
Shown(n) == Hidden(n)
====
