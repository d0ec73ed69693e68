---- MODULE First ----
Thing == 2
====
