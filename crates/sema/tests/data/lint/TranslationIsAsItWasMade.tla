---- MODULE TranslationIsAsItWasMade ----
(* --algorithm Tick
variable n = 0;
begin
  step: n := 1;
end algorithm; *)
\* BEGIN TRANSLATION (chksum(pcal) = "3c5e7453" /\ chksum(tla) = "46a13d1c")
VARIABLES pc, n

vars == << pc, n >>

Init == (* Global variables *)
        /\ n = 0
        /\ pc = "step"

step == /\ pc = "step"
        /\ n' = 1
        /\ pc' = "Done"

(* Allow infinite stuttering to prevent deadlock on termination. *)
Terminating == pc = "Done" /\ UNCHANGED vars

Next == step
           \/ Terminating

Spec == Init /\ [][Next]_vars

Termination == <>(pc = "Done")

\* END TRANSLATION
====
