---- MODULE AllTests ----
EXTENDS Halves
ASSUME Half(2) = 2
====
