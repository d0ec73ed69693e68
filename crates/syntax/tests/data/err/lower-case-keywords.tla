---- MODULE M ----
variables x
extends Naturals
a == if x then y else z
====
