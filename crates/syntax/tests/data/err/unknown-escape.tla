---- MODULE M ----
a == "C:\path"
b == "\d+"
====
