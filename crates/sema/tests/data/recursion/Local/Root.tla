---- MODULE Root ----
EXTENDS Helper
Bad == Hidden(3)
Good == Shown(3)
====
