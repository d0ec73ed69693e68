---- MODULE MC ----
EXTENDS PySyncObj, TLC
Limits ==
    [ MaxElectionTimes |-> 2, MaxAppenEntriesTimes |-> 2, MaxClientOperationsTimes |-> 2,
      MaxPartitionTimes |-> 1, MaxCureTimes |-> 1, MaxWireMsgs |-> 6 ]
ServerSymmetry == Permutations(Servers) \union Permutations(Commands)
Bound == TLCGet("level") < 10
====
