---- MODULE M ----
a == {| S EXCEPT !.name = e |}
b == [x \in S : e]
====
