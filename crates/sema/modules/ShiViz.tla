------------------------------- MODULE ShiViz -------------------------------
(* Exports an error trace of a PlusCal algorithm to the ShiViz viewer. Use   *)
(* Host and Clock as trace expressions; the specification must have the      *)
(* variable pc, a function from processes to labels.                         *)
LOCAL INSTANCE Integers
LOCAL INSTANCE FiniteSets
LOCAL INSTANCE Json
LOCAL INSTANCE TLC
INSTANCE Toolbox

(* For each position of the trace the process that made the step to it. The  *)
(* last such process if pc did not change, "--" at the start.                *)
LOCAL Hosts ==
  LET host[i \in DOMAIN _TETrace] ==
        IF i = 1
        THEN "--"
        ELSE LET before  == _TETrace[i - 1].pc
                 after   == _TETrace[i].pc
                 stepped == {p \in DOMAIN before : before[p] # after[p]}
             IN  IF stepped = {} THEN host[i - 1]
                                 ELSE CHOOSE p \in stepped : TRUE
  IN  TLCEval(host)

(* The process that made the step to the current state. *)
Host == Hosts[_TEPosition]

(* The vector clock of the current state as a JSON object: the number of     *)
(* steps that each process has made.                                         *)
Clock ==
  LET host == Hosts
  IN  ToJsonObject([p \in DOMAIN _TETrace[_TEPosition].pc |->
                      Cardinality({i \in 1.._TEPosition : host[i] = p})])
=============================================================================
