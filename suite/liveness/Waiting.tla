-------------------------------- MODULE Waiting -----------------------------
(* Two processes and a lock: who waits gets it only if taking it is strongly *)
(* fair for each of them.                                                    *)
CONSTANTS Procs, None
VARIABLES pc, lock
vars == <<pc, lock>>
Init == pc = [p \in Procs |-> "idle"] /\ lock = None
Ask(p) == pc[p] = "idle" /\ pc' = [pc EXCEPT ![p] = "waits"] /\ UNCHANGED lock
Take(p) == pc[p] = "waits" /\ lock = None /\ lock' = p /\ pc' = [pc EXCEPT ![p] = "has"]
Leave(p) == pc[p] = "has" /\ lock' = None /\ pc' = [pc EXCEPT ![p] = "idle"]
Step(p) == Ask(p) \/ Take(p) \/ Leave(p)
Next == \E p \in Procs : Step(p)
Weak == Init /\ [][Next]_vars /\ \A p \in Procs : WF_vars(Step(p))
Strong == Weak /\ \A p \in Procs : SF_vars(Take(p))
Whole == Init /\ [][Next]_vars /\ WF_vars(Next)
Served == \A p \in Procs : pc[p] = "waits" ~> pc[p] = "has"
SomeServed == (\E p \in Procs : pc[p] = "waits") ~> (\E p \in Procs : pc[p] = "has")
Never == \A p \in Procs : pc[p] = "lost" ~> pc[p] = "has"
Exclusive == [](\A p, q \in Procs : p # q => ~(pc[p] = "has" /\ pc[q] = "has"))
All == Exclusive /\ Served /\ [][\A p \in Procs : pc[p] = "has" => pc'[p] # "waits"]_vars
=============================================================================
