---- MODULE M ----
EXTENDS Naturals
(* --algorithm A {
  variable count = 0;
  { a: cuont := 1 }
} *)
====
