---- MODULE Root ----
EXTENDS Helper
Good == Public
Bad == Private
Sum == 1 + 2
====
