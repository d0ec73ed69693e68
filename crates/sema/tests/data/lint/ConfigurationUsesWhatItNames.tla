---- MODULE ConfigurationUsesWhatItNames ----
EXTENDS Naturals
CONSTANTS Limit, Op(_)
VARIABLE x
Identity(n) == n
Unnamed(n) == n
Start == x = Op(0)
Step == x < Limit /\ x' = x + 1
Stay == x' = x
====
