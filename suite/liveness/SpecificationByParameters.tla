----------------------- MODULE SpecificationByParameters ----------------------
(* The parts of a specification come through parameters: of operators that   *)
(* hand their own parameters on, as operators or as formulas.                *)
EXTENDS Naturals

VARIABLE x

Init == x = 0
Next == x' = (x + 1) % 3
Live == WF_x(Next)
Small == x < 3
ComesBack == []<>(x = 0)

Apply(F(_), v) == F(v)
HandOn(G(_), v) == Apply(G, v)
Moving(v) == Init /\ [][Next]_v

Operator == HandOn(Moving, x) /\ Live
Local == LET Own(H(_)) == Apply(H, x) IN Own(Moving) /\ Live

Conjoin(a, b) == a /\ b
ConjoinThree(f, g) == Conjoin(Conjoin(f, g), Live)

Formula == ConjoinThree(Init, [][Next]_x)
Nested == Conjoin(Init, Conjoin([][Next]_x, Live))
==============================================================================
