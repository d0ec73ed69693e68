------------------------------ MODULE _TLCTrace -----------------------------
(* A counterexample in TLC's binary form: a postcondition that writes it   *)
(* to a file.                                                              *)
LOCAL INSTANCE IOUtils
LOCAL INSTANCE Sequences
LOCAL INSTANCE TLC
LOCAL INSTANCE TLCExt

CONSTANTS _TLCTraceFile, _TLCTraceInputFile

LOCAL HasNone == CounterExample.state = {}
LOCAL Names == UNION {DOMAIN pair[2] : pair \in CounterExample.state}

_TLCTrace ==
  IF HasNone THEN TRUE
  ELSE /\ IOSerialize([counterexample |-> CounterExample, vars |-> Names], _TLCTraceFile, TRUE)
       /\ PrintT("CounterExample written: " \o _TLCTraceFile)
=============================================================================
