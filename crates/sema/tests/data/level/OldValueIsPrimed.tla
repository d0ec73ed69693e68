---- MODULE OldValueIsPrimed ----
\* `@` is what it stands for, so to prime it is to prime that.
VARIABLES x, y
Good == [x EXCEPT ![1] = @']
Bad == [x' EXCEPT ![1] = @']
Shift(f) == [f EXCEPT ![1] = {@}, ![2] = LET old == @ IN old']
AlsoBad == Shift(y')
InLet == [x' EXCEPT ![1] = LET old == @ IN old']
====
