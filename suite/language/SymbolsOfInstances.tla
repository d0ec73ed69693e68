------------------------- MODULE SymbolsOfInstances -------------------------
(* Operators that are symbols, defined in a module that is instantiated      *)
(* under a name: I!+(a, b). Here + is addition, there it is something else.  *)
EXTENDS Naturals

VARIABLE x

I(m) == INSTANCE ModularPlus WITH modulus <- m

ASSUME I(5)!+(3, 4) = 2 /\ 3 + 4 = 7
ASSUME I(5)!-.(1) = 4
ASSUME I(10)!\prec(3, 14)

Apply(Op(_, _), a, b) == Op(a, b)

Init == x = 1
Next == x' = I(7)!+(x, 3)
Range == x \in 0..6
=============================================================================
