---- MODULE OwnNamesBesideALibrary ----
\* Names of the user's own that the newest community modules export, too: they count here, and the library's
\* operators keep their own. TLC with those modules rejects the specification.
EXTENDS Naturals, SequencesExt

CONSTANT Choices
VARIABLES Range, log

\* SequencesExt!SetToSortSeq and others use the library's.
Max(a, b) == IF a > b THEN a ELSE b
Min(a, b) == IF a < b THEN a ELSE b
f @@ g == <<f, g>>
ToSet(s) == Len(s)

Init == Range = 0 /\ log = <<>>

Next ==
  /\ Len(log) < Choices
  /\ Range' = Max(Range, Len(log))
  /\ log' = Append(log, Min(Range, 1))

Inv ==
  /\ Range @@ 1 = <<Range, 1>>
  /\ ToSet(log) = Len(log)
  \* These use ToSet, Max and @@ of the libraries.
  /\ Contains(log, 7) = FALSE
  /\ LongestCommonPrefix({<<1, 2, 3>>, <<1, 2, 4>>}) = <<1, 2>>
  /\ ToBag(<<1, 1>>) = [x \in {1} |-> 2]
  /\ \A Sum \in {1, 2} : Sum < 3
====
