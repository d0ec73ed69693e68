------------------------------ MODULE _DotTrace -----------------------------
(* A counterexample as a graph for GraphViz: a postcondition that writes   *)
(* it to a file.                                                           *)
LOCAL INSTANCE IOUtils
LOCAL INSTANCE Sequences
LOCAL INSTANCE SequencesExt
LOCAL INSTANCE TLC
LOCAL INSTANCE TLCExt
LOCAL INSTANCE Functions
LOCAL INSTANCE GraphViz

CONSTANT _DotTraceFile

LOCAL HasNone == CounterExample.state = {}
LOCAL Told(file) == PrintT("CounterExample written: " \o file)
LOCAL Written(text, file) ==
  LET options ==
        [format |-> "TXT", charset |-> "UTF-8",
         openOptions |-> <<"WRITE", "CREATE", "TRUNCATE_EXISTING">>]
  IN  Serialize(text, file, options).exitValue = 0 /\ Told(file)

LOCAL Graph ==
  [node |-> CounterExample.state, edge |-> {<<step[1], step[3], step[2]>> : step \in CounterExample.action}]
LOCAL NodeText(node) ==
  FoldFunctionOnSet(LAMBDA value, all : ToString(value) \o "\n" \o all, "", node[2], DOMAIN node[2])

_DotTrace ==
  IF HasNone THEN TRUE ELSE Written(DotDiGraph(Graph, NodeText, LAMBDA edge : edge[3].name), _DotTraceFile)
=============================================================================
