---- MODULE ExtendedNextKnowsItsOwnVariables ----
\* Without a configuration, `Next` is asked for the variables of its own module.
EXTENDS Counter
VARIABLE history
HInit == Init /\ history = <<>>
HNext == Next /\ history' = <<count>>
====
