---- MODULE M ----
EXTENDS Naturals
(* --algorithm A
variable n = 0;
begin
  a: n := 1; *)
====
