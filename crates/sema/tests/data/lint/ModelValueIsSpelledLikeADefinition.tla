---- MODULE ModelValueIsSpelledLikeADefinition ----
CONSTANTS Leader, Servers, Nil, Limit
VARIABLE x
Nobody == 0
Init == x = Nobody /\ Leader # Nil
Next == x' \in Servers \cup {Limit}
====
