---- MODULE M ----
THEOREM a
<1>a..... op == 1
<1>b DEFINE b == 2 c == 3
           d == 4
<1>c HAVE x
<1>d WITNESS x, y \in S
<1>e TAKE x, y
<1>f TAKE x, y \in S, <<z, w>> \in T
<1>g PICK x, y : p OBVIOUS
<1>h PICK x, y \in S, z \in T : p OBVIOUS
<1>i CASE p OBVIOUS
<1>j SUFFICES p OBVIOUS
<1>k SUFFICES ASSUME p PROVE q OBVIOUS
<1>l ASSUME p PROVE q
<1>m USE p DEF q
<1>n HIDE DEF q
<1>o INSTANCE M WITH x <- 1
<1>p I == INSTANCE M
<1>q <1>i
<1>* r
<1>- s
<1>. t
<1> QED
====
