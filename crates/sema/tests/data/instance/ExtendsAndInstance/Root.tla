---- MODULE Root ----
EXTENDS Base
VARIABLE w
I == INSTANCE Base WITH v <- w
A == <<Get, I!Get, I!Free, Free>>
====
