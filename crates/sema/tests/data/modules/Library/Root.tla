---- MODULE Root ----
EXTENDS Helper
Op == Help
====
