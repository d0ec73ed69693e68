---- MODULE NonLeibniz ----
---- MODULE M ----
CONSTANT Op(_)
Get == Op(1)
====
VARIABLE x
Next(a) == a'
I == INSTANCE M WITH Op <- Next
J == INSTANCE M WITH Op <- ENABLED
====
