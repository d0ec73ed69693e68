---- MODULE MC ----
EXTENDS delta_lake
====
