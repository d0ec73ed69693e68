---- MODULE Actions ----
EXTENDS Naturals
VARIABLES x, y
vars == <<x, y>>
Inc == x' = x + 1 /\ UNCHANGED y
Both == Inc \cdot (y' = x)
Can == ENABLED Inc
Boxed == [Inc]_vars
Angled == <<Inc>>_<<x, y>>
Always == [](x > 0)
Eventually == <>(x > 0)
Leads == (x = 1) ~> (y = 1)
Guarantees == (x = 1) -+-> (y = 1)
Fair == WF_vars(Inc) /\ SF_<<x, y>>(Inc)
Hidden == \EE z : [](z = x)
Every == \AA z : <>(z = x)
Spec == x = 0 /\ [][Inc]_vars /\ Fair
====
