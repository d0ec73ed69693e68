---- MODULE Left ----
EXTENDS Base
L == Shared(1)
====
