---- MODULE M ----
f[x \in Nat] == (
