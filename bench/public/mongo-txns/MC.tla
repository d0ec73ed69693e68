---- MODULE MC ----
EXTENDS MCTxnsMoveRange
====
