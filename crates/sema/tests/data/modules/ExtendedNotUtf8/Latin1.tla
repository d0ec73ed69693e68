---- MODULE Latin1 ----
\* café
Op == 1
====
