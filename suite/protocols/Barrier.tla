------------------------------- MODULE Barrier ------------------------------
(* Threads meet at a barrier, round after round; the last to arrive opens    *)
(* it. Nobody is ever more than one round ahead.                             *)
EXTENDS Naturals, FiniteSets

CONSTANTS Thread, Rounds

VARIABLES round, arrived, open

vars == <<round, arrived, open>>

Init == round = [t \in Thread |-> 0] /\ arrived = {} /\ open = FALSE
Arrive(t) ==
    /\ ~open
    /\ t \notin arrived
    /\ round[t] < Rounds
    /\ arrived' = arrived \cup {t}
    /\ open' = (arrived' = Thread)
    /\ UNCHANGED round
Pass(t) ==
    /\ open
    /\ t \in arrived
    /\ arrived' = arrived \ {t}
    /\ open' = (arrived' # {})
    /\ round' = [round EXCEPT ![t] = @ + 1]
Next == \E t \in Thread : Arrive(t) \/ Pass(t)
Spec == Init /\ [][Next]_vars

Together == \A t, u \in Thread : round[t] <= round[u] + 1
=============================================================================
