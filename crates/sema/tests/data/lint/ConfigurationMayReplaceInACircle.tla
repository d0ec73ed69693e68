---- MODULE ConfigurationMayReplaceInACircle ----
EXTENDS Counter
MCNext == Next /\ count < 3
====
