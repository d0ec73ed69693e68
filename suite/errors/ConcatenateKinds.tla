-------------------------- MODULE ConcatenateKinds --------------------------
(* A string and a sequence do not go together.                               *)
EXTENDS Integers, Sequences, FiniteSets

VARIABLE x

Init == x = 0
Next == x' = IF x < 2 THEN x + 1 ELSE "ab" \o <<x>>
=============================================================================
