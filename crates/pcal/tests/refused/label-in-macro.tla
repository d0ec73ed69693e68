---- MODULE M ----
EXTENDS Naturals
(* --algorithm A {
  variable n = 0;
  macro m() { b: n := 1 }
  { a: m() }
} *)
====
