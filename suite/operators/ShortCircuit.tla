---------------------------- MODULE ShortCircuit ----------------------------
(* What is not evaluated cannot fail. Connectives go from left to right and  *)
(* stop as soon as the answer is known; quantifiers stop at the first        *)
(* witness in the order of the set; arguments of operators are evaluated     *)
(* when they are used, and those of definitions not at all if they are not.  *)
EXTENDS Naturals, Sequences

VARIABLE n

Nothing == CHOOSE x \in {} : TRUE
NotABool == 17

ASSUME (FALSE /\ Nothing) = FALSE
ASSUME TRUE \/ Nothing
ASSUME FALSE => Nothing
ASSUME IF TRUE THEN TRUE ELSE Nothing
ASSUME CASE 1 = 1 -> TRUE [] Nothing -> FALSE
ASSUME CASE FALSE -> Nothing [] OTHER -> TRUE

\* Even a wrong kind of value is fine where nobody looks.
ASSUME (FALSE /\ NotABool) = FALSE
ASSUME TRUE \/ NotABool

\* A guard protects what follows it, in bullets too.
Safe(s) ==
    /\ s # <<>>
    /\ Head(s) = 1
ASSUME ~Safe(<<>>) /\ Safe(<<1>>)

\* 1 comes first, whatever the text says: the failing elements are not reached.
ASSUME \E x \in {3, 2, 1} : x = 1 \/ Nothing
ASSUME ~ \A x \in {3, 2, 1} : x # 1 /\ Nothing
ASSUME (CHOOSE x \in 1..3 : x = 1 \/ Nothing) = 1

\* Arguments are lazy.
First(a, b) == a
ASSUME First(1, Nothing) = 1
Twice(a, b) == LET unused == b IN a
ASSUME Twice(2, Nothing) = 2

\* A function is not evaluated at points where it is not applied if its domain is infinite.
Inverse == [x \in Nat |-> IF x = 0 THEN Nothing ELSE 12 \div x]
ASSUME Inverse[4] = 3

\* Unequal lengths settle an equation before any element is looked at.
ASSUME <<1, 2>> # <<"a">>
ASSUME {1, 2} # {"a"}

Init == n = 0
Next ==
    \/ n < 3 /\ n' = n + 1
    \/ n = 3 /\ n' = 0
    \/ n = 99 /\ n' = Nothing
Bounded == n \in 0..3 \/ Nothing
=============================================================================
