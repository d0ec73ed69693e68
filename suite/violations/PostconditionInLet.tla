---- MODULE PostconditionInLet ----
\* The place of a postcondition that is false is that of its whole body, wherever inside of it the reason is.
EXTENDS Naturals, TLC
VARIABLE x
Init == x = 0
Next == x < 2 /\ x' = x + 1
AtLeastFive ==
    LET depth == TLCGet("stats").diameter IN
    IF depth > 5 THEN TRUE
    ELSE depth > 4
====
