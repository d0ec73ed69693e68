---- MODULE BadFact ----
CONSTANT S
Op == TRUE
THEOREM TRUE
<1>1. TRUE
<1> HIDE Op
<1> HIDE 1 = 1
<1> HIDE <1>1
<1> USE DEF S
<1> HIDE DEF Op, Nothing
<1>2. QED BY DEF S, Op
====
