---- MODULE Redefined ----
A == /\ lab :: TRUE
     /\ lab :: FALSE
B == lab :: (inner :: TRUE /\ (inner :: FALSE))
C == lab :: (lab :: TRUE)
D == LET x == lab :: TRUE IN lab :: x
====
