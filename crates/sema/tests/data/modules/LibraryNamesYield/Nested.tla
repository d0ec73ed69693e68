---- MODULE Nested ----
EXTENDS SequencesExt
CONSTANT c
Last(s) == c
Use == Last(<<>>) = Reverse(c)
====
