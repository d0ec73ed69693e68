------------------------------- MODULE DeepTrace ----------------------------
(* A trace of two hundred states.                                            *)
EXTENDS Naturals

VARIABLES low, high

Init == low = 0 /\ high = 0
Next ==
    \/ low < 9 /\ low' = low + 1 /\ UNCHANGED high
    \/ low = 9 /\ low' = 0 /\ high' = high + 1
Below == 10 * high + low < 199
=============================================================================
