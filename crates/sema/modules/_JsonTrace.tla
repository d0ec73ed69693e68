----------------------------- MODULE _JsonTrace -----------------------------
(* A counterexample as JSON: a postcondition that writes it to a file.     *)
LOCAL INSTANCE Json
LOCAL INSTANCE Sequences
LOCAL INSTANCE TLC
LOCAL INSTANCE TLCExt

CONSTANTS _JsonTraceFile, _JsonTraceInputFile

LOCAL HasNone == CounterExample.state = {}
LOCAL Names == UNION {DOMAIN pair[2] : pair \in CounterExample.state}

_JsonTrace ==
  IF HasNone THEN TRUE
  ELSE /\ JsonSerialize(_JsonTraceFile, [counterexample |-> CounterExample, vars |-> Names])
       /\ PrintT("CounterExample written: " \o _JsonTraceFile)
=============================================================================
