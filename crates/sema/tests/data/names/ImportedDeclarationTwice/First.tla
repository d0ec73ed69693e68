---- MODULE First ----
CONSTANTS thing, other
====
