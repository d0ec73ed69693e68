---- MODULE Root ----
EXTENDS Broken
Op == Good + Bad
====
