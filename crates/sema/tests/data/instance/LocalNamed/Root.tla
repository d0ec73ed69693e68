---- MODULE Root ----
EXTENDS Helper
Bad == Hidden!Get
Good == Shown
====
