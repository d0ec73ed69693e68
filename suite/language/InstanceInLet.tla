---------------------------- MODULE InstanceInLet ---------------------------
(* Instances in a LET: of modules with native operators, with              *)
(* substitutions by names that are bound around, with parameters, of       *)
(* actions.                                                                *)
EXTENDS Integers

VARIABLE x

Level == LET T == INSTANCE TLC IN T!TLCGet("level")
Sizes(n) == LET S == INSTANCE Sequences F == INSTANCE FiniteSets IN S!Len(<<n, x>>) + F!Cardinality({n, x})
Inside(k) == LET I == INSTANCE InstancePart WITH c <- k, v <- x IN I!Twice + I!Sum(k) + I!Down(2) + I!fn[3]
Both(k) == LET I(z) == INSTANCE InstancePart WITH c <- z + k, v <- x IN I(1)!Twice + I(k)!Down(1)

Init == x = 0
Next ==
    \/ x < 3 /\ x' = Level
    \/ x < 9 /\ x' = x + Sizes(3)
    \/ x < 40 /\ \E k \in 1..2 : x' = x + Inside(k) \/ x' = x + Both(k)
    \/ \E k \in 1..2 : x < 5 /\ LET I == INSTANCE InstancePart WITH c <- k, v <- x IN I!Step
=============================================================================
