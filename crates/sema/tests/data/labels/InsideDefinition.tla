---- MODULE InsideDefinition ----
RECURSIVE Op(_)
Op(x) == IF x THEN lab :: 1 ELSE Op(TRUE)!lab
====
