---- MODULE StandardNamesAreNotHidden ----
\* What the module extends itself from the language's own library cannot be defined again.
EXTENDS TLC, SequencesExt, Integers, Bags
Any == 1
Nat == 1
EmptyBag == 1
\* This came with SequencesExt alone.
Cardinality(S) == 1
====
