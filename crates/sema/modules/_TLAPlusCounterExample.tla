----------------------- MODULE _TLAPlusCounterExample -----------------------
(* A counterexample as a module that defines it as TLCExt does: a          *)
(* postcondition that writes it to a file.                                 *)
LOCAL INSTANCE IOUtils
LOCAL INSTANCE Sequences
LOCAL INSTANCE SequencesExt
LOCAL INSTANCE TLC
LOCAL INSTANCE TLCExt

CONSTANT _TLAPlusCounterExampleFile

LOCAL HasNone == CounterExample.state = {}
LOCAL Told(file) == PrintT("CounterExample written: " \o file)
LOCAL Written(text, file) ==
  LET options ==
        [format |-> "TXT", charset |-> "UTF-8",
         openOptions |-> <<"WRITE", "CREATE", "TRUNCATE_EXISTING">>]
  IN  Serialize(text, file, options).exitValue = 0 /\ Told(file)
LOCAL ModuleOf(file) == ReplaceFirstSubSeq("", ".tla", file)

_TLAPlusCounterExample ==
  IF HasNone THEN TRUE
  ELSE Written("---- MODULE " \o ModuleOf(_TLAPlusCounterExampleFile)
                 \o " ----\nLOCAL INSTANCE TLC\n\nCounterExample == \n\t"
                 \o ToString(CounterExample) \o "\n\n====", _TLAPlusCounterExampleFile)
=============================================================================
