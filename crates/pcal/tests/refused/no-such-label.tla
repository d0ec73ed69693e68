---- MODULE M ----
EXTENDS Naturals
(* --algorithm A {
  variable n = 0;
  { a: goto b }
} *)
====
