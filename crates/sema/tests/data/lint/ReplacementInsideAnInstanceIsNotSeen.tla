---- MODULE ReplacementInsideAnInstanceIsNotSeen ----
\* TLC: `Left!Fill` is replaced where it is named here, not where `Twice` of the module uses it.
VARIABLES a, b
Left == INSTANCE Pair WITH value <- a
FillBoth == a' = 1 /\ b' = 1
Init == a = 0 /\ b = 0
Named == Left!Fill
Inside == Left!Twice
Next == Named \/ Inside
Spec == Init /\ [][Next]_<<a, b>>
====
