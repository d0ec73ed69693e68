------------------------------ MODULE RealTime ------------------------------
(* Real-time constraints, to be conjoined to a specification. The variable   *)
(* now is the time; it advances in steps of its own. These formulas cannot   *)
(* be checked by state enumeration.                                          *)
EXTENDS Reals

(* The current time. *)
VARIABLE now

(* No <<A>>_v step happens before A has been enabled for D time units in a   *)
(* row, and A is never enabled for more than E units without such a step.    *)
RTBound(A, v, D, E) ==
  LET Restart  == <<A>>_v \/ ~(ENABLED <<A>>_v)'
      Tick(t)  == t' = (IF Restart THEN 0 ELSE t + (now' - now))
      Clock(t) == t = 0 /\ [][Tick(t)]_<<t, v, now>>
  IN  \EE t : Clock(t) /\ [](t \leq E) /\ [][A => t \geq D]_v

(* Time starts at some real number, only grows, changes in no step that      *)
(* changes v, and passes every bound.                                        *)
RTnow(v) ==
  LET Advance == (now' \in {r \in Real : now < r}) /\ UNCHANGED v
  IN  /\ now \in Real
      /\ [][Advance]_now
      /\ \A r \in Real : WF_now(Advance /\ now' > r)
=============================================================================
