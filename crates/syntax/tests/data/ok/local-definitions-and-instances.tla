---- MODULE M ----
LOCAL a == 1
LOCAL f[x \in S] == x
LOCAL INSTANCE M
LOCAL I(x) == INSTANCE M WITH y <- x
====
