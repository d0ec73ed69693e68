---- MODULE UnnamedTwiceConstantFree ----
---- MODULE M ----
Get == 1
====
INSTANCE M
INSTANCE M
LOCAL INSTANCE M
EXTENDS_ == Get
====
