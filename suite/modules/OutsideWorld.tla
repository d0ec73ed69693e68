---------------------------- MODULE OutsideWorld ----------------------------
(* IOUtils and CSV: numbers from text, files written line by line and read   *)
(* back as text, a program that is run.                                      *)
EXTENDS Integers, Sequences, IOUtils, CSV, TLC

VARIABLE x

ASSUME atoi("42") = 42 /\ atoi("-7") = -7
ASSUME zeroPadN(7, 3) = "007"
ASSUME "PATH" \in DOMAIN IOEnv /\ IOEnv.PATH \in STRING
ASSUME "NO_SUCH_VARIABLE_HERE" \notin DOMAIN IOEnv
ASSUME IOExec(<<"echo", "hi">>).exitValue = 0
ASSUME IOExec(<<"echo", "hi">>).stdout = "hi\n"
ASSUME IOExecTemplate(<<"echo", "%s-%s">>, <<"a", "b">>).stdout = "a-b\n"
ASSUME IOExec(<<"false">>).exitValue = 1

ASSUME CSVRecords("none.csv") = 0
ASSUME CSVRead(<<"a">>, ",", "none.csv") = <<>>
ASSUME CSVWrite("%1$s#%2$s", <<1, "two">>, "out.csv")
ASSUME CSVWrite("%1$s#%2$s", <<{3}, TRUE>>, "out.csv")
ASSUME CSVRecords("out.csv") = 2
ASSUME CSVRead(<<"first", "second">>, "#", "out.csv")
       = <<[first |-> "1", second |-> "\"two\""], [first |-> "{3}", second |-> "TRUE"]>>

ASSUME Serialize("plain text\n", "t.txt", [format |-> "TXT", charset |-> "UTF-8", openOptions |-> <<"WRITE", "CREATE">>]).exitValue = 0
ASSUME Deserialize("t.txt", [format |-> "TXT", charset |-> "UTF-8"]).stdout = "plain text\n"

Init == x = atoi("3")
Next == x > 0 /\ x' = x - 1
Bound == x \in 0..3
=============================================================================
