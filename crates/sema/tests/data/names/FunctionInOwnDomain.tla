---- MODULE FunctionInOwnDomain ----
f[x \in {f}] == x
g[g \in {1}] == g
h[x \in {1}] == h
====
