---- MODULE WhatTlcAnswersMayChange ----
EXTENDS Naturals, TLC
VARIABLE x
Level == TLCGet("level")
Init == x = Level
Next == x' = Level' /\ TLCGet("level")' > 0
Spec == Init /\ [][Next]_x
====
