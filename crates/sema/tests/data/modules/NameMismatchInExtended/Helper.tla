---- MODULE Helpers ----
Help == 1
====
