---- MODULE M ----
VARIABLES x y
CONSTANTS a
          b
c == 1
====
