---- MODULE TranslationHasAnOption ----
(* --algorithm Tick
variable n = 0;
process clock = "clock"
begin
  step: n := 1;
end process;
end algorithm; *)
\* BEGIN TRANSLATION (chksum(pcal) = "a6a475bc" /\ chksum(tla) = "64d35f6e")
VARIABLES pc, n

vars == << pc, n >>

ProcSet == {"clock"}

Init == (* Global variables *)
        /\ n = 0
        /\ pc = [self \in ProcSet |-> "step"]

step == /\ pc["clock"] = "step"
        /\ n' = 1
        /\ pc' = [pc EXCEPT !["clock"] = "Done"]

clock == step

(* Allow infinite stuttering to prevent deadlock on termination. *)
Terminating == /\ \A self \in ProcSet: pc[self] = "Done"
               /\ UNCHANGED vars

Next == clock
           \/ Terminating

Spec == /\ Init /\ [][Next]_vars
        /\ WF_vars(clock)

Termination == <>(\A self \in ProcSet: pc[self] = "Done")

\* END TRANSLATION 
====
