---- MODULE Helper ----
EXTENDS Nowhere
Help == Whatever
====
