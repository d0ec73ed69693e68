---- MODULE M ----
EXTENDS Naturals
(* --algorithm A {
  variable n = 0;
  procedure count(k) { p: n := k; return }
  { a: call coumt(1) }
} *)
====
