---------------------------- MODULE GuardsInOrder ----------------------------
(* Each guard reads one variable. What is known of the second one must not   *)
(* settle whether the action is possible while the first has no value: in    *)
(* the last position the table ends.                                         *)
EXTENDS Naturals

VARIABLES position, mode, count

vars == <<position, mode, count>>
Last == 4
Table == [i \in 1 .. Last - 1 |-> i % 2]

Init == position = 1 /\ mode = 0 /\ count = 0

Advance ==
    /\ mode = 0
    /\ position < Last
    /\ position' = position + 1
    /\ UNCHANGED <<mode, count>>

Switch ==
    /\ position < Last
    /\ mode' = 1 - mode
    /\ UNCHANGED <<position, count>>

(* By this one the table is asked only where it has a value.                 *)
Careful ==
    /\ mode = 1
    /\ Table[position] = 1
    /\ count' = (count + 1) % 5
    /\ UNCHANGED <<position, mode>>

(* By this one it is asked everywhere.                                       *)
Careless ==
    /\ Table[position] = 1
    /\ mode = 1
    /\ count' = (count + 1) % 5
    /\ UNCHANGED <<position, mode>>

(* The value that is given comes before the guard.                           *)
Hasty ==
    /\ count' = (count + Table[position]) % 5
    /\ mode = 1
    /\ UNCHANGED <<position, mode>>

NextCareful == Advance \/ Switch \/ Careful
NextCareless == Advance \/ Switch \/ Careless
NextHasty == Advance \/ Switch \/ Hasty

Bounded == count < 5
==============================================================================
