---- MODULE SwitchedOff ----
\* A fair action asks about the run only where a constant switches that on: switched off, the question is never asked.
EXTENDS Naturals, TLC
CONSTANT Bounded
VARIABLES x, y

Long == FALSE
Loud == ~TRUE

Init == x = 0 /\ y = 0

Step ==
    /\ Long => TLCGet("level") > 5
    /\ ~(Bounded /\ TLCGet("level") > 2)
    /\ IF Loud THEN PrintT(x) ELSE TRUE
    /\ x' = (x + 1) % 4
    /\ y' = IF Bounded THEN TLCGet("level") ELSE y

Rest == y' = 1 - y /\ x' = x

Spec == Init /\ [][Step \/ Rest]_<<x, y>> /\ WF_<<x, y>>(Step) /\ SF_x(Step)

Comes == []<>(x = 3)
Calms == <>[](y = 0)
====
