----------------------------- MODULE _TLCTESpec -----------------------------
(* A counterexample as a specification whose only behaviour it is: a       *)
(* postcondition that writes it to a file.                                 *)
LOCAL INSTANCE IOUtils
LOCAL INSTANCE Sequences
LOCAL INSTANCE SequencesExt
LOCAL INSTANCE TLC
LOCAL INSTANCE TLCExt
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

LOCAL Listed(words) == FoldSet(LAMBDA w, all : all \o (IF all = "" THEN "" ELSE ", ") \o w, "", words)
LOCAL Modules == {step[2].location.module : step \in CounterExample.action}
LOCAL Names == UNION {DOMAIN pair[2] : pair \in CounterExample.state}
LOCAL Equations(prime, index) ==
  FoldSet(LAMBDA v, all : all \o "/\\ " \o v \o prime \o " = Trace[" \o index \o "]." \o v \o "\n", "", Names)

LOCAL Text ==
  "---- MODULE " \o ModuleOf(_TLCTraceFile) \o " ----\n"
    \o (IF Modules = {} THEN "" ELSE "EXTENDS " \o Listed(Modules)) \o "\n\nLOCAL INSTANCE TLC\n\n"
    \o "Trace == \n\t" \o ToString(ToTrace(CounterExample)) \o "\n\n"
    \o "_init ==\n" \o Equations("", "1") \o "\n"
    \o "_next ==\n\\E i,j \\in DOMAIN Trace:\n/\\ i = TLCGet(\"level\")\n/\\ j = i + 1\n"
    \o Equations("", "i") \o Equations("'", "j")
    \o "\n_terminating ==\n\tUNCHANGED <<" \o Listed(Names) \o ">>\n\n"
    \o "_spec == \n\t_init /\\ [][_next \\/ _terminating]_<<" \o Listed(Names) \o ">>\n\n===="

_TLCTrace == IF HasNone THEN TRUE ELSE Written(Text, _TLCTraceFile)
=============================================================================
