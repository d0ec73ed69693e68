---- MODULE M ----
====
