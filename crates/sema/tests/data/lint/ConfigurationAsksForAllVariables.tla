---- MODULE ConfigurationAsksForAllVariables ----
EXTENDS Counter
VARIABLE history
MCInit == Init /\ history = <<>>
MCNext == Next
====
