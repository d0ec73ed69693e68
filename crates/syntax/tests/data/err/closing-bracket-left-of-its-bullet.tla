---- MODULE M ----
a ==
    /\ 1
    /\ (2
)
    /\ 3
b == /\ IF x THEN y
     ELSE z
====
