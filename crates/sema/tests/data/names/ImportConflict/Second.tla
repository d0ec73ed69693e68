---- MODULE Second ----
thing == 1
ASSUME Fact == TRUE
====
