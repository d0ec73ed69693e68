---- MODULE Binders ----
\* Every binder of an instantiated definition is its own.
---- MODULE M ----
CONSTANT c
All == << {x \in c : x = c}, {<<x, y>> : x \in c, y \in c}, [x \in c |-> x], \A x, y \in c : x = y,
          \E <<x, y>> \in c : x = y, CHOOSE x \in c : x = c, CHOOSE x : x = c, \E x : x = c,
          [c EXCEPT ![1] = @, ![2].a[c] = <<@, c>>], CASE c -> c [] OTHER -> c, [a |-> c], [a : c],
          c.a, c[c], [c -> c], c \X c, IF c THEN c ELSE c, {c}, UNION c >>
====
I == INSTANCE M WITH c <- 1
A == I!All
====
