---- MODULE ConfigurationReplacesNext ----
EXTENDS Counter
VARIABLE history
MCInit == count = 0
MCNext == count' = 1 /\ history' = <<>>
====
