---- MODULE M ----
a == F(+, x)
b == F(x, *)
c == F( + )
d == F(LAMBDA x : x + 1, LAMBDA x, y : x)
e == F(-., ~, \cup, ', ENABLED, /\, []) 
f == F(-, -x)
g == F( \X )
h == F(M!+, M!G)
====
