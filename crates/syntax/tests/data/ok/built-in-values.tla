---- MODULE M ----
a == TRUE
b == FALSE \in BOOLEAN
c == "s" \in STRING
====
