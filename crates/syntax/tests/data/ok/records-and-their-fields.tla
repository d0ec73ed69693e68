---- MODULE M ----
a == [x |-> 1, y |-> 2]
b == [x : S, y : T]
c == r.x.y
d == [r EXCEPT !.x = 1, !.y.z[2] = @]
e == [THEN |-> 1, IF |-> 2].THEN
f == [r EXCEPT !.UNION = r.EXCEPT]
====
