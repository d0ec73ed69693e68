---- MODULE TrueAsProperty ----
\* TRUE counts as a definition whose value is TRUE, which is skipped; a value for a variable is ignored.
EXTENDS Naturals
VARIABLE x
Init == x = 0
Next == x' = (x + 1) % 3
====
