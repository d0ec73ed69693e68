---- MODULE Root ----
EXTENDS First, Second
Op == <<thing, other>>
====
