---- MODULE M ----
CONSTANT A
CONSTANTS B, C(_), D(_, _), _+_, _ \prec _, -._, ~ _, _^#, SUBSET _
====
