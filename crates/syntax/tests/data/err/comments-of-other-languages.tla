---- MODULE M ----
// a comment
a == 1
# another
b == 2
====
