---- MODULE First ----
CONSTANT thing
Fact == TRUE
====
