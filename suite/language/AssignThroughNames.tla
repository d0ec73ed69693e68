-------------------------- MODULE AssignThroughNames ------------------------
(* A variable gets its next value wherever the left side leads to it: by a   *)
(* definition, a LET, an argument that is the variable, an argument that is  *)
(* the primed variable, an instance.                                         *)
EXTENDS Naturals

VARIABLES x, y

nextX == x'
Set(v) == v' = 1
Become(p, e) == p = e
OneOf(p, S) == p \in S
Clear(v, w) == v' = 0 /\ w' = 0
Inner == INSTANCE AssignsHere WITH cell <- y

Init == Become(x, 0) /\ OneOf(y, {0, 2})
Next ==
    \/ nextX = x + 1 /\ x < 2 /\ UNCHANGED y
    \/ Set(x) /\ y = 0 /\ Become(y', 2)
    \/ LET yp == y' IN yp = 1 /\ x' = x /\ y # 1
    \/ OneOf(x', {0, 2}) /\ y = 1 /\ y' = 0
    \/ Clear(x, y)
    \/ Inner!Put(2) /\ x' = 0 /\ x = 1
Range == x \in 0..2 /\ y \in 0..2
=============================================================================
