---- MODULE First ----
Thing == 1
====
