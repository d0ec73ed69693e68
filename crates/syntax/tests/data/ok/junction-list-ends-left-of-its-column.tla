---- MODULE M ----
a ==   /\ x
       /\ y
  => z
b ==   /\ x
       /\ y
     /\ z
c == (/\ x
      /\ y) \/ z
d ==  \/ x
     /\ y
e ==
/\ x
/\ y
f == {/\ x
      /\ y, z}
====
