---- MODULE OperatorIsNeverUsed ----
\* In a module that says how a system behaves, what takes arguments is there for that module.
EXTENDS Naturals
VARIABLE x
Twice(n) == 2 * n
Thrice(n) == 3 * n
\* Used by the next one only, which is not used itself.
Half(n) == n \div 2
Quarter(n) == Half(Half(n))
\* The name says that it is meant to be unused.
_Later(n) == n
InTheorem(n) == n = n
Init == x = Twice(1)
Next == x' = x
TypeOK == x \in Nat
Spec == Init /\ [][Next]_x
THEOREM \A n \in Nat : InTheorem(n)
====
