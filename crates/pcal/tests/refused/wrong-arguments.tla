---- MODULE M ----
EXTENDS Naturals
(* --algorithm A {
  variable n = 0;
  macro m(x, y) { n := x }
  { a: m(1) }
} *)
====
