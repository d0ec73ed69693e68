--------------------------- MODULE ComposedInVain ---------------------------
(* The first half of a composition is possible and the second is not: the    *)
(* states between them count, whatever other steps there are.                *)
EXTENDS Naturals

VARIABLES x, y

Same == UNCHANGED <<x, y>>

Init == x = 0 /\ y = 0
Next == \/ Same \cdot (FALSE /\ Same)
        \/ x < 5 /\ x' = x + 1 /\ UNCHANGED y
        \/ y < 5 /\ y' = y + 1 /\ UNCHANGED x
        \/ Same \cdot (x > y /\ x' = y /\ UNCHANGED y)
=============================================================================
