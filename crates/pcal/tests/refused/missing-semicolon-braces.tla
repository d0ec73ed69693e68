---- MODULE M ----
EXTENDS Naturals
(* --algorithm A {
  variable n = 0;
  { a: n := 1
    b: n := 2 }
} *)
====
