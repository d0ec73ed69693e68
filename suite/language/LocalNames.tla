------------------------------ MODULE LocalNames ----------------------------
(* LOCAL definitions and instances stay in their module: the same names may  *)
(* be defined again by those who extend it.                                  *)
EXTENDS HidesThings

VARIABLE x

\* All three are local there; Naturals is not visible through it either.
Secret == "mine"
Twice(v) == <<v, v>>
a + b == {a, b}

ASSUME Secret = "mine"
ASSUME Reveal = 42
ASSUME Twice(1) = <<1, 1>> /\ Doubled(21) = 42
ASSUME 1 + 2 = {1, 2} /\ Added(1, 2) = 3

Init == x = Reveal
Next == x = 42 /\ x' = Doubled(Added(x, 1))
Kept == x = 42 \/ x = 86
=============================================================================
