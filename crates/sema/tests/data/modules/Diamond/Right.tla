---- MODULE Right ----
EXTENDS Base
R == Shared(2)
====
