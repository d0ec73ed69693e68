---- MODULE M ----
EXTENDS Naturals
(* PlusCal options (fast) *)
(* --algorithm A { variable n = 0; { a: n := 1 } } *)
====
