---- MODULE NotFound ----
EXTENDS Natural
\* Nothing more is said: both names may come from the module that is missing.
Op == Foo + Bar
====
