----------------------- MODULE FunctionsAgainstRecords ----------------------
(* A function that is no record may be compared with a record of another   *)
(* size, if it comes first; the empty function is a record.                *)
EXTENDS Integers

VARIABLE x

Init == x = 0
Next == x' = 0

ASSUME <<1>> # [a |-> 1, b |-> 1]
ASSUME [i \in 1..3 |-> i] # [a |-> 1]
ASSUME [i \in {0, 5} |-> i] # [a |-> 1]
ASSUME [a |-> 1] # <<>>
ASSUME <<>> # [a |-> 1]
ASSUME [a |-> 1] # [a |-> 1, b |-> 2]
ASSUME [a |-> 1] = [s \in {"a"} |-> 1]
ASSUME [s \in {"a"} |-> 1] = [a |-> 1]
ASSUME [a |-> 1, b |-> 1] \notin {<<1>>, <<1, 2, 3>>}
ASSUME {[a |-> 1, b |-> 1], <<1>>} = {[a |-> 1, b |-> 1], <<1>>}
=============================================================================
