---- MODULE Second ----
Thing == 2
====
