---- MODULE Loop ----
EXTENDS Naturals
(* --algorithm Loop {
   variables x = 0, y = 0;
   process (p \in 1..2) variable mine = 0; {
     l: while (TRUE) {
          with (d \in {1, 2}) { await x + d < 5; x := x + d; mine := d };
          if (y = 0) { y := 1 } else { y := 0 };
        }
   }
   process (q = 7) {
     m: while (TRUE) { either { x := 0 } or { y := 2; x := 1 } or skip }
   }
} *)
====
