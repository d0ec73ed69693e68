--------------------------- MODULE _TLCTracePlain ---------------------------
(* A counterexample as a module with the sequence of its states: a         *)
(* postcondition that writes it to a file.                                 *)
LOCAL INSTANCE IOUtils
LOCAL INSTANCE Sequences
LOCAL INSTANCE SequencesExt
LOCAL INSTANCE TLC
LOCAL INSTANCE TLCExt

CONSTANT _TLCTraceFile

LOCAL HasNone == CounterExample.state = {}
LOCAL Told(file) == PrintT("CounterExample written: " \o file)
LOCAL Written(text, file) ==
  LET options ==
        [format |-> "TXT", charset |-> "UTF-8",
         openOptions |-> <<"WRITE", "CREATE", "TRUNCATE_EXISTING">>]
  IN  Serialize(text, file, options).exitValue = 0 /\ Told(file)
LOCAL ModuleOf(file) == ReplaceFirstSubSeq("", ".tla", file)

_TLCTrace ==
  IF HasNone THEN TRUE
  ELSE Written("---- MODULE " \o ModuleOf(_TLCTraceFile) \o " ----\nLOCAL INSTANCE TLC\n\nTrace == \n\t"
                 \o ToString(ToTrace(CounterExample)) \o "\n\n====", _TLCTraceFile)
=============================================================================
