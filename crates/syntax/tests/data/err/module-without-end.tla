---- MODULE M ----
a == 1
