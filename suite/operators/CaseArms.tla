------------------------------ MODULE CaseArms ------------------------------
(* CASE takes the first arm that is true, in the order of the text; later    *)
(* arms are not looked at. OTHER is taken when none is. As an action, only   *)
(* the arm that was taken makes successors.                                  *)
EXTENDS Naturals

VARIABLE n

Nothing == CHOOSE x \in {} : TRUE

Size(k) == CASE k < 3 -> "small"
             [] k < 6 -> "medium"
             [] OTHER -> "large"
ASSUME Size(2) = "small" /\ Size(5) = "medium" /\ Size(6) = "large"
\* Both arms are true: the first counts, the other way round too.
ASSUME (CASE TRUE -> 1 [] TRUE -> 2) = 1
ASSUME (CASE 1 = 1 -> "a" [] 2 = 2 -> "b" [] OTHER -> "c") = "a"
ASSUME (CASE FALSE -> Nothing [] TRUE -> 5 [] Nothing -> 6) = 5
\* One inside the other.
ASSUME (CASE TRUE -> (CASE FALSE -> 1 [] OTHER -> 2) [] OTHER -> 3) = 2
\* An arm reaches as far as it can.
ASSUME (CASE TRUE -> 1 + 1 [] OTHER -> 3) + 1 = 3

Init == n \in 0..2
Next ==
    CASE n < 2 -> n' \in {n + 1, n + 2}
      [] n < 4 -> n' = 0 \/ n' = n + 1
      [] OTHER -> UNCHANGED n
Range == n \in 0..4
=============================================================================
