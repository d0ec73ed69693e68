---- MODULE Place ----
f == [x \in {1} |-> x]
A == [f EXCEPT ![1] = lab :: 2]
ASSUME lab :: TRUE
ASSUME Named == lab :: TRUE
THEOREM lab :: TRUE
====
