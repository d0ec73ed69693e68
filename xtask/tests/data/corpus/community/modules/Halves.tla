---- MODULE Halves ----
Half(n) == n
====
