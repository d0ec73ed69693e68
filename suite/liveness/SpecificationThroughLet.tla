----------------------- MODULE SpecificationThroughLet ----------------------
(* A specification is taken apart through a LET: through what it defines, and *)
(* through the parameters of that.                                            *)
VARIABLE x

Init == x = TRUE
Next == x' = ~x
Spec == LET Same(formula) == formula IN Same(Init /\ [][Next]_x /\ WF_x(Next))
Flips == LET Steps == [][x' # x]_x IN Steps
Returns == LET Again(formula) == []<>formula IN Again(x)
=============================================================================
