---- MODULE SubscriptIsAnAction ----
\* The subscript says which variables may stay as they are, so it is about one state.
VARIABLES x, y
A == x' = 1
Box == [A]_(x')
Angle == <<A>>_A
Weak == WF_<<x, y'>>(A)
Strong == SF_x([][A]_x)
Fine == WF_<<x, y>>(A)
====
