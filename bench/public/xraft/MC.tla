---- MODULE MC ----
EXTENDS XRaft, TLC
Limits ==
    [ MaxElectionTimes |-> 2, MaxAppendEntriesTimes |-> 2, MaxClientOperationsTimes |-> 2,
      MaxPartitionTimes |-> 1, MaxCureTimes |-> 1, MaxWireMsgs |-> 6 ]
ServerSymmetry == Permutations(Servers) \union Permutations(Commands)
Bound == TLCGet("level") < 10
====
