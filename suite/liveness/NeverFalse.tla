------------------------------ MODULE NeverFalse ----------------------------
(* Formulas that nothing satisfies, of a specification that moves.           *)
EXTENDS Naturals
VARIABLE x
Init == x = 0
Next == x' = (x + 1) % 3
Spec == Init /\ [][Next]_x /\ WF_x(Next)
FinallyFalse == <>[]FALSE
NoStep == [][FALSE]_x
NoFairStep == []<><<FALSE>>_x
EventuallyNothing == <>[][FALSE]_x
EventuallyTrue == <>[]TRUE
AgainTrue == []<>TRUE
=============================================================================
