-------------------------- MODULE StepPropertyInLet -------------------------
(* [][A]_v that a LET defines, or hands to an operator, is a property of      *)
(* steps: the search stops at the first step that violates it.                *)
EXTENDS Naturals

VARIABLE x

Init == x = 0
Next == x' = (x + 1) % 5
Spec == Init /\ [][Next]_x
Small ==
  LET Same(formula) == formula
      Steps == [][x' < 3]_x
  IN  Same(Steps)
=============================================================================
