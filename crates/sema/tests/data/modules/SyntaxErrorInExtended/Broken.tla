---- MODULE Broken ----
EXTENDS Naturals
Good == 1
Bad == (1 +
After == 2
====
