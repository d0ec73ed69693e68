---- MODULE SameNameTwiceInFile ----
\* The first of two is read.
EXTENDS Second
Op == First
====
---- MODULE Second ----
First == 1
====
---- MODULE Second ----
Other == 2
====
