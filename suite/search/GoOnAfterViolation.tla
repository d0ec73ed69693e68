-------------------------- MODULE GoOnAfterViolation ------------------------
(* With -continue the search goes on behind a violation, and counts          *)
(* everything. TLC then ends as if nothing had happened.                     *)
EXTENDS Naturals

VARIABLE x

Init == x = 0
Next == x' = (x + 1) % 5
NotThree == x # 3
=============================================================================
