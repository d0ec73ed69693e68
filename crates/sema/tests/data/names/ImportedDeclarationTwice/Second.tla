---- MODULE Second ----
CONSTANT thing
VARIABLE other
====
