--------------------------- MODULE AllLeftHanded ----------------------------
(* A mutant of ../protocols/Philosophers.tla. Everyone takes the left fork   *)
(* first: `0` became `N` in `First`.                                         *)
EXTENDS Naturals, FiniteSets

CONSTANT N

Seat == 0..(N - 1)

VARIABLES hungry, fork   \* fork[i] is who holds the fork to the left of seat i

Nobody == N
Left(p) == p
Right(p) == (p + 1) % N
First(p) == IF p = N THEN Right(p) ELSE Left(p)
Second(p) == IF p = 0 THEN Left(p) ELSE Right(p)

Init == hungry = {} /\ fork = [s \in Seat |-> Nobody]

Think(p) == p \notin hungry /\ hungry' = hungry \cup {p} /\ UNCHANGED fork
TakeFirst(p) ==
    /\ p \in hungry
    /\ fork[First(p)] = Nobody
    /\ fork' = [fork EXCEPT ![First(p)] = p]
    /\ UNCHANGED hungry
TakeSecond(p) ==
    /\ fork[First(p)] = p
    /\ fork[Second(p)] = Nobody
    /\ fork' = [fork EXCEPT ![Second(p)] = p]
    /\ UNCHANGED hungry
Eating(p) == fork[Left(p)] = p /\ fork[Right(p)] = p
Finish(p) ==
    /\ Eating(p)
    /\ fork' = [fork EXCEPT ![Left(p)] = Nobody, ![Right(p)] = Nobody]
    /\ hungry' = hungry \ {p}

Next == \E p \in Seat : Think(p) \/ TakeFirst(p) \/ TakeSecond(p) \/ Finish(p)
Spec == Init /\ [][Next]_<<hungry, fork>>

NeighboursDoNotEat == \A p \in Seat : ~(Eating(p) /\ Eating(Right(p)))
=============================================================================
