----------------------------- MODULE AllCutOff ------------------------------
(* No initial state is inside the model: nothing is kept, and the depth is 1 *)
(* all the same, since states were generated.                                *)
EXTENDS Integers

VARIABLE x

Init == x \in {5, 7}
Next == x' = x
Small == x < 3
=============================================================================
