---- MODULE M ----
a == 1
(* open (* closed *)
b == 2
====
