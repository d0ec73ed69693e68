---- MODULE FunctionArity ----
EXTENDS Naturals
one[x \in Nat] == x
two[x \in Nat, y \in Nat] == x + y
pair[<<x, y>> \in Nat \X Nat, z \in Nat] == x
both[x, y \in Nat] == x
plain == [x \in Nat, y \in Nat |-> x]
A == one[1, 2]
B == two[1, 2, 3]
C == two[<<1, 2>>]
D == two[1, 2]
E == pair[<<1, 2>>, 3]
F == pair[1, 2, 3]
G == both[1, 2]
H == plain[1, 2, 3]
I == one[<<1, 2>>]
====
