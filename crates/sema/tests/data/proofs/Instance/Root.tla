---- MODULE Root ----
THEOREM ASSUME NEW x PROVE x = x
<1> INSTANCE Middle WITH c <- x
<1> DEFINE I == INSTANCE Middle WITH c <- {x}
<1>1. <<Get, J!Deep, I!Get>> = x OBVIOUS
<1>2. QED BY <1>1 DEF Get, J!Deep, I!Get
====
