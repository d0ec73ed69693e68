---- MODULE M ----
a == 1
# this is no comment
b == 2
-- nor is this one
c == 3 // and this is none
d == 4
====
