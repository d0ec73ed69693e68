---- MODULE Latin1 ----
Op == "café"
====
