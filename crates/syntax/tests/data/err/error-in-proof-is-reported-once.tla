---- MODULE M ----
THEOREM Thm == x
<1>1. y
  BY (
<1>2. DEFINE z == 1
             w == 2
<1>3. QED
a == +
====
