---- MODULE ActionBesideFormula ----
\* A specification says of an action that every step is one, it does not say the action itself.
VARIABLES x, y
Init == x = 0 /\ y = 0
Next == x' = y /\ y' = x
Forgotten == Init /\ Next /\ WF_x(Next)
List ==
  /\ Init
  /\ [][Next]_x
  /\ Next
Either ==
  \/ Next
  \/ []Init
Implied == Next => <>Init
Same == []Init <=> Next
Fine == Init /\ [][Next]_<<x, y>> /\ WF_<<x, y>>(Next)
====
