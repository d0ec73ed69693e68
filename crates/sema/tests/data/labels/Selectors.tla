---- MODULE Selectors ----
EXTENDS Naturals
Conj == /\ 1 = 1
        /\ \/ 2 = 2
           \/ 3 = 3
A == Conj!2!1
B == Conj!2!2!1
Fun == [x \in {1} |-> x + 1]
C == Fun!1
D == Fun!(7)!2
Ite == IF 1 = 1 THEN {2} ELSE {3, 4}
E == Ite!3!2
Cs == CASE 1 = 1 -> 5 [] OTHER -> 6
F == Cs!1!1
G == Cs!2!2
Rec == [a |-> 1, b |-> {2}]
H == Rec!2
Exc == [Rec EXCEPT !.a = 3]
I == Exc!1
Fld == Rec.a
J == Fld!2
Ap == Nat
Call == Ap \cup {8}
K == Call!2
Def(p) == p + 1
L == Def(2)!:
M == Def(2)!<<
N == Def(2)!>>
Ch == CHOOSE y \in {1} : y = 2
O == Ch!(3)
====
