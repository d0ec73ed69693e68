---- MODULE MC ----
EXTENDS MultiPaxos_MC
====
