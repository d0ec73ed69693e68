---- MODULE AssumptionAboutVariables ----
\* An assumption is about constants.
CONSTANT c
VARIABLES x, y
Low == x = 1
ASSUME c \in {1, 2}
ASSUME x \in {1, 2}
ASSUME Named == c = 1 /\ Low
AXIOM []Low
ASSUME \A n \in {c} : n = y'
====
