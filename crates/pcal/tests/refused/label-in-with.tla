---- MODULE M ----
EXTENDS Naturals
(* --algorithm A {
  variable n = 0;
  { a: with (x \in {1}) { n := x; b: n := 2 } }
} *)
====
