---- MODULE MC ----
EXTENDS hudi
====
