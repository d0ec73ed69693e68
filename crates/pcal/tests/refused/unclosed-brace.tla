---- MODULE M ----
EXTENDS Naturals
(* --algorithm A {
  variable n = 0;
  { while (n < 3) { n := n + 1 }
} *)
====
