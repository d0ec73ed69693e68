---- MODULE Second ----
I == INSTANCE First
FromSecond == I!FromFirst
====
