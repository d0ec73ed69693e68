---- MODULE ComponentAnswersForItsSubscript ----
\* The environment has a next-state relation of its own: each is asked for what its subscript names.
VARIABLES x, y, z
Init == x = 0 /\ y = 0 /\ z = 0
Component == x' = 1
Environment == y' = 1
Spec == Init /\ [][Component]_x /\ [][Environment]_<<y, z>>
====
