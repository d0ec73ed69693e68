---- MODULE Root ----
EXTENDS Helper
Bad == Get
Good == Shown
====
