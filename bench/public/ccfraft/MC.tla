---- MODULE MC ----
EXTENDS MCccfraft
TwoNodes == <<{NodeOne, NodeTwo}>>
OneTerm == 1
OneRequest == 1
Shallow == TLCGet("level") < 24
====
