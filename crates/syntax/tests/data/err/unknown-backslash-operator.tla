---- MODULE M ----
a == x \unoin y
b == \forsome x : y
c == x \or y
d == x \S y
====
