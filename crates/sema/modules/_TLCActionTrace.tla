--------------------------- MODULE _TLCActionTrace --------------------------
(* The actions of a counterexample as an action constraint: a              *)
(* postcondition that writes a module with it to a file.                   *)
LOCAL INSTANCE IOUtils
LOCAL INSTANCE Sequences
LOCAL INSTANCE SequencesExt
LOCAL INSTANCE TLC
LOCAL INSTANCE TLCExt
LOCAL INSTANCE FiniteSets
LOCAL INSTANCE FiniteSetsExt

CONSTANT _TLCTraceFile

LOCAL HasNone == CounterExample.state = {}
LOCAL Told(file) == PrintT("CounterExample written: " \o file)
LOCAL Written(text, file) ==
  LET options ==
        [format |-> "TXT", charset |-> "UTF-8",
         openOptions |-> <<"WRITE", "CREATE", "TRUNCATE_EXISTING">>]
  IN  Serialize(text, file, options).exitValue = 0 /\ Told(file)
LOCAL ModuleOf(file) == ReplaceFirstSubSeq("", ".tla", file)

LOCAL Joined(all, word) == all \o (IF all = "" THEN "" ELSE ", ") \o word
LOCAL Modules == {step[2].location.module : step \in CounterExample.action}
LOCAL Call(action) ==
  IF "parameters" \in DOMAIN action
  THEN action.name \o "("
         \o FoldLeft(LAMBDA all, p : Joined(all, ToString(action.context[p])), "", action.parameters) \o ")"
  ELSE action.name
LOCAL NumberedSteps ==
  FoldSet(LAMBDA step, all : all \o "\\/ " \o ToString(step[1][1]) \o " = _idx /\\ " \o Call(step[2]) \o "\n",
          "", CounterExample.action)

LOCAL Text ==
  "---- MODULE " \o ModuleOf(_TLCTraceFile) \o " ----\n"
    \o "EXTENDS " \o FoldSet(LAMBDA m, all : Joined(all, m), "", Modules) \o "\n\n"
    \o "_length == " \o ToString(Cardinality(CounterExample.action)) \o "\n\n"
    \o "_next(_idx) ==\n" \o NumberedSteps \o "\n"
    \o "_actionConstraint ==\n_next(LET T == INSTANCE TLC IN T!TLCGet(\"level\"))\n\n===="

_TLCTrace == IF CounterExample.action = {} THEN TRUE ELSE Written(Text, _TLCTraceFile)
=============================================================================
