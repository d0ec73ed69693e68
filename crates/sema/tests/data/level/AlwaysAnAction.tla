---- MODULE AlwaysAnAction ----
\* Whether steps that change nothing are added must make no difference to a formula.
VARIABLES x, y
vars == <<x, y>>
Next == x' = y /\ y' = x
Step == [Next]_vars
Bare == []Next
ThroughDefinition == []Step
Equal == [](x' = x)
WrongBrackets == []<<Next>>_vars
InLet == [](LET z == x' IN z = y)
Fine == [][Next]_vars /\ [](LET A == Next IN [A]_vars) /\ [](lab :: [Next]_vars) /\ [](x = y)
====
