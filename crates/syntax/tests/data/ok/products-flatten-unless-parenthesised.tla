---- MODULE M ----
a == A \X B
b == A \X B \times C
c == (A \X B) \X C
d == A \X (B \X C)
====
