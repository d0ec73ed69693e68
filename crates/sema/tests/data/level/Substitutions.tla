---- MODULE Substitutions ----
\* What stands for a constant or a variable must be as the instantiated module needs it.
VARIABLES x, y
---- MODULE Clock ----
CONSTANTS step, Op(_), start
VARIABLE now
Tick == now' = Op(now)
Begin == now = start
====
---- MODULE Pure ----
CONSTANTS set, F(_), arg
All == {set}
App == F(arg)
====
---- MODULE Stepper ----
CONSTANT Op(_)
Tick == Op(0')
====
Prime(a) == a'
Twice(a) == a
A == INSTANCE Clock WITH step <- x, Op <- Twice, start <- 0, now <- y
B == INSTANCE Clock WITH step <- 1, Op <- LAMBDA a : x, start <- 0, now <- x'
C(n, w) == INSTANCE Clock WITH step <- 1, Op <- Twice, start <- n, now <- w
UseC == C(1, x)!Tick /\ C(x, y)!Begin /\ C(x, y)!Tick
UseCBadly == C(1, x')!Tick
D == INSTANCE Pure WITH set <- []x, F <- Twice, arg <- x
E == INSTANCE Pure WITH set <- x', F <- Prime, arg <- x'
G == INSTANCE Stepper WITH Op <- Prime
Inner(p) == LET I == INSTANCE Clock WITH step <- 1, Op <- Twice, start <- p, now <- x IN I!Begin
UseInner == Inner(1) /\ Inner(y)
Fine == INSTANCE Pure WITH set <- x', F <- Twice, arg <- y'
UseFine == Fine!All = Fine!App
====
