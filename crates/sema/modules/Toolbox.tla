------------------------------- MODULE Toolbox ------------------------------
(* Access to an error trace from expressions evaluated along it: the trace   *)
(* itself, and the position of the state at hand.                            *)
LOCAL INSTANCE Naturals
LOCAL INSTANCE FiniteSets
LOCAL INSTANCE TLC

(* The states of the trace under exploration, numbered from 1; each is a     *)
(* record with one field for each variable.                                  *)
_TETrace == NATIVE

(* The position of the current state in _TETrace, kept within its bounds.    *)
_TEPosition ==
  LET level == TLCGet("level")
      last  == Cardinality(DOMAIN _TETrace)
  IN  CASE level \geq last               -> last
        [] level < last /\ level = 0     -> 1
        [] level < last /\ ~ (level = 0) -> level
=============================================================================
