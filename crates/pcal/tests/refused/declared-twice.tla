---- MODULE M ----
EXTENDS Naturals
(* --algorithm A {
  variables n = 0, n = 1;
  { a: n := 1 }
} *)
====
