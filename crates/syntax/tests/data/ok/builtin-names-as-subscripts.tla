---- MODULE Test ----
A == WF_TRUE(x)
B == [x]_FALSE
C == <<x>>_STRING
====
