---- MODULE MC ----
EXTENDS MCNano
====
