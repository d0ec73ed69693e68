---- MODULE Root ----
\* What another module of the user's defines hides a library's, in whatever order they are imported.
EXTENDS SequencesExt, Other, Naturals
LOCAL INSTANCE Combinatorics
Larger == Max(1, 2)
Chosen == choose(1, 2, 3)
Inner == INSTANCE Nested WITH c <- Front(<<1, 2>>)
---- MODULE Inside ----
Min(a, b, c) == a
Least == Min(1, 2, 3)
====
====
