---- MODULE FieldNames ----
EXTENDS Naturals
CONSTANT limit
VARIABLES msgs, state
Key == "id"
Wrong == [Key |-> 1, other |-> 2]
AlsoWrong == [Key : {1}]
Within(x) == LET r == [limit |-> {1, 2}] IN r
\* Whoever writes these knows what a field is.
Fine == [msgs |-> msgs, state |-> 1]
Same == [state |-> 1, msgs |-> 2]
Param(Q) == [Key |-> Q, third |-> 1]
Type == [state : Nat]
Init == msgs = 0 /\ state = [f |-> Wrong, g |-> AlsoWrong, h |-> Within(1), i |-> Fine, j |-> Same]
Next == UNCHANGED <<msgs, state>> /\ limit = Param(Type)
Spec == Init /\ [][Next]_<<msgs, state>>
====
