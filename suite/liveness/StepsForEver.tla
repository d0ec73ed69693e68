----------------------------- MODULE StepsForEver ---------------------------
(* `[]<><<A>>_v`, `<>[][A]_v`, `WF` and `SF` as properties.                  *)
EXTENDS Naturals
VARIABLE x
Init == x = 0
Up == x < 2 /\ x' = x + 1
Down == x = 2 /\ x' = 0
Jump == x = 1 /\ x' = 5
Next == Up \/ Down \/ Jump
Spec == Init /\ [][Next]_x /\ WF_x(Next)
Fair == Spec /\ SF_x(Up)
UpAgain == []<><<Up>>_x
OnlyDown == <>[][Down]_x
NoJump == <>[][~Jump]_x
Weak == WF_x(Up)
Strong == SF_x(Down)
StrongUp == SF_x(Up)
WeakJump == WF_x(Jump)
StrongJump == SF_x(Jump)
=============================================================================
