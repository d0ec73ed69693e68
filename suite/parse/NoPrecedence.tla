---------------------------- MODULE NoPrecedence ----------------------------
(* Two operators side by side of which none binds tighter.                   *)
EXTENDS Integers

VARIABLES x, y

Init == x = 0 /\ y = 0
Next == x' = (x + 1) % 3 /\ y' = x
Range == x \in 0..2
Bad == {1} \cup {2} \cap {3}
=============================================================================
