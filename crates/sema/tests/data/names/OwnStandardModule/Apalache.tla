---- MODULE Apalache ----
Gen(n) == {}
====
