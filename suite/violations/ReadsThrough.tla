---------------------------- MODULE ReadsThrough ----------------------------
(* What an invariant reads is not always written in it: each of these        *)
(* depends on x, or on the way to the state, and breaks at some depth        *)
(* although it says nothing of the kind by name. One configuration each.     *)
EXTENDS Naturals, Sequences, TLC, TLCExt

VARIABLES x, y

Init == x = 0 /\ y = 0
Up == x < 9 /\ x' = x + 1 /\ UNCHANGED y
Other == y < 1 /\ y' = y + 1 /\ UNCHANGED x
Next == Up \/ Other

CanStay == x < 4 /\ x' = x
ByEnabled == y < 5 /\ ENABLED CanStay

ByTrace == y < 5 /\ Len(Trace) < 5

RECURSIVE Down(_)
Down(n) == IF n > 3 THEN x < 4 ELSE Down(n + 1)
ByRecursion == y < 5 /\ Down(0)

Inner == INSTANCE ReadsThroughInner WITH c <- 0, v <- x
ByInstance == y < 5 /\ Inner!Small
ByEnabledOfInstance == y < 5 /\ Inner!CanGrow

InnerOf(c) == INSTANCE ReadsThroughInner WITH v <- x
ByParameters == y < 5 /\ InnerOf(0)!Small

f[n \in 0..3] == IF n = 3 THEN x < 4 ELSE f[n + 1]
ByFunction == y < 5 /\ f[0]

Apply(Op(_), a) == Op(a)
ByLambda == y < 5 /\ Apply(LAMBDA a : x < 4, 1)

ByForce == y < 5 /\ TLCEval(x < 4)
ByChoice == y < 5 /\ (CHOOSE z \in {x} : TRUE) < 4
ByLet == y < 5 /\ \A z \in 1..2 : LET w == x IN w < 4
ByLevel == y < 5 /\ TLCGet("level") < 6
ByFilter == y < 5 /\ {z \in {1} : x < 4} = {1}
ByConstructor == y < 5 /\ [z \in {1} |-> x][1] < 4
=============================================================================
