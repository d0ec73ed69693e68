--------------------------- MODULE ExceptOutside ----------------------------
(* An EXCEPT for an argument outside of the domain changes nothing, and what *)
(* would have been written there is not even evaluated. TLC warns.           *)
EXTENDS Naturals, Sequences

VARIABLE f

Nothing == CHOOSE x \in {} : TRUE

ASSUME [<<1, 2>> EXCEPT ![3] = 9] = <<1, 2>>
ASSUME [<<1, 2>> EXCEPT ![0] = Nothing] = <<1, 2>>
ASSUME [<<1, 2>> EXCEPT ![3] = 9, ![1] = 7] = <<7, 2>>
ASSUME [[a |-> 1] EXCEPT !.b = 2] = [a |-> 1]
ASSUME [[a |-> <<1>>] EXCEPT !.a[5] = 2] = [a |-> <<1>>]
ASSUME [[x \in {3, 4} |-> x] EXCEPT ![5] = 2] = [x \in {3, 4} |-> x]

Init == f = <<0, 0>>
\* The third of these steps changes nothing: it is a step to the same state.
Next == \E i \in 1..3 : f' = [f EXCEPT ![i] = 1]
TwoPlaces == Len(f) = 2
=============================================================================
