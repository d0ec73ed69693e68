---- MODULE M ----
USE ONLY a
HIDE
USE DEF
====
