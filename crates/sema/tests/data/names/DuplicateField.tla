---- MODULE DuplicateField ----
A == [a |-> 1, b |-> 2, a |-> 3]
B == [a : {1}, a : {2}]
====
