---- MODULE Clock ----
EXTENDS Naturals
CONSTANTS Hours, Add(_, _)
VARIABLE hour
Start == hour = 0
Tick == hour' = Add(hour, 1)
Plus(a, b) == (a + b) % Hours
Twelve == 12
Init == Start
Next == Tick
vars == <<hour>>
Live == WF_vars(Tick)
Spec == Init /\ [][Next]_vars /\ Live
TypeOK == hour \in 0..Hours
Below(n) == hour < n
Later == hour' >= hour
NeverBack == [][Later]_vars
SmallNat == 0..12
Now == hour
View == <<hour>>
Symmetric == {}
Shown == [hour |-> hour]
Done == TRUE
====
