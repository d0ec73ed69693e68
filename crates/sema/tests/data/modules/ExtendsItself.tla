---- MODULE ExtendsItself ----
EXTENDS ExtendsItself
Op == 1
====
