---- MODULE Clock ----
EXTENDS Naturals
CONSTANT N
VARIABLE hour
Init == hour \in 0 .. N - 1
Next == hour' = (hour + 1) % N
====
