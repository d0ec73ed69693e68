---- MODULE M ----
EXTENDS Naturals
(* --algorithm A {
  variable n = 0;
  { a: n := 1; n := 2; while (n > 0) { n := 0; goto a; n := 3 } }
} *)
====
