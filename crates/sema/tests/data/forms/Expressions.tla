---- MODULE Expressions ----
EXTENDS Naturals, Sequences
CONSTANTS C, Op(_, _)
VARIABLES x, y
Literals == <<42, \b101, \o17, \hFF, "a\"b", TRUE, FALSE, BOOLEAN, STRING, 1.5>>
Sets == <<{}, {1, 2}, {e \in C : e = 1}, {<<a, b>> \in C : a = b}, {e + 1 : e \in C}, SUBSET C, UNION C, C \X C \X {1}>>
Functions == <<[e \in C |-> e], [e, g \in C, <<h, i>> \in C |-> e], [C -> {1}], DOMAIN C, C[1], C[1, 2]>>
Records == <<[a |-> 1, b |-> 2], [a : {1}], C.a.b>>
Logic == /\ ~TRUE => FALSE
         /\ \/ TRUE <=> FALSE
            \/ TRUE \equiv FALSE
         /\ (x = y /\ x # y) \/ x \in C
Quantified == <<\A e \in C : e = 1, \E e, g \in C, h \in {1} : e = h, \A e : e = e, \E e, g : e = g>>
Chosen == <<CHOOSE e \in C : e = 1, CHOOSE e : e = 1, CHOOSE <<a, b>> \in C : a = b>>
Branches == <<IF x THEN y ELSE C, CASE x -> 1 [] y -> 2, CASE x -> 1 [] OTHER -> 2>>
Lets == LET a == 1
            F(p, Q(_)) == Q(p)
            p ++ q == {p, q}
            f[i \in C] == i
        IN  F(a, LAMBDA z : z ++ f[z])
Applied == <<Op(1, 2), Len(<<1>>), <<1>> \o <<2>>, 1 + 2>>
====
