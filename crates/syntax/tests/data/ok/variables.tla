---- MODULE M ----
VARIABLE x
VARIABLES y,
          z
====
