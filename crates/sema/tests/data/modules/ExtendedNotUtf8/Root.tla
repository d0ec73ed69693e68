---- MODULE Root ----
EXTENDS Latin1
Op == Unknown
====
