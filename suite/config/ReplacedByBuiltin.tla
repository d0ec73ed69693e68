---- MODULE ReplacedByBuiltin ----
\* TRUE, FALSE and BOOLEAN count as definitions, which a constant may be replaced by.
CONSTANTS On, Off, Bits, Both(_)
VARIABLE x
Same(v) == v
Flag == FALSE
Init == x \in Bits /\ (Off => x)
Next == On /\ x' \in Bits /\ Flag
Known == x \in Bits
====
