---- MODULE Root ----
N == INSTANCE Net WITH msgs <- {}, Size <- 1
Send == msgs = {} /\ N!Empty /\ Size = 1
====
