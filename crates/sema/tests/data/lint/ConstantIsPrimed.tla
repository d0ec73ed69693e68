---- MODULE ConstantIsPrimed ----
EXTENDS Naturals
CONSTANTS Limit, Servers
VARIABLES x, y
Twice == 2 * Limit
Init == x = Limit /\ y = Twice
Next == /\ x' = Limit'
        /\ y' = (Twice + 1)'
        /\ UNCHANGED <<Servers, x>>
        /\ \E s \in Servers : s' = s
Spec == Init /\ [][Next]_<<x, y>>
====
