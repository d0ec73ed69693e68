---- MODULE PrimeOfPrime ----
\* A prime leads from this state to the next one, and there is nothing to prime after that.
VARIABLES x, y
Next == x' = y
Twice == x''
OfDefinition == Next'
OfConjunct == (y = 0 /\ Next)'
Unchanged == UNCHANGED <<x, y'>>
Enabled == (ENABLED Next)'
====
