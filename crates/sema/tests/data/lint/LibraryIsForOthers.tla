---- MODULE LibraryIsForOthers ----
\* Nobody uses anything here, and only what is LOCAL cannot be used by somebody else.
EXTENDS Naturals
CONSTANT Limit
Double(n) == 2 * n
LOCAL Triple(n) == 3 * n
LOCAL Base == 1
Next1(n) == n + Base
====
