---------------------------- MODULE FaultsNoticed ----------------------------
(* Crashes and broken links that each end of a connection notices by itself,   *)
(* when it comes to the end of what it can read (Connections.tla). So a leader *)
(* may go on for a while although nobody follows it any more.                  *)
EXTENDS Zk

\* What a process had sent is delivered after its crash.
CrashAlone(i) ==
    /\ state[i] # "DOWN"
    /\ spent.crashes < MaxCrashes
    /\ spent' = [spent EXCEPT !.crashes = @ + 1]
    /\ LeaveAlone(i, TRUE)
    /\ ElectionCrash({i}, {})

RestartAlone(i) ==
    /\ state[i] = "DOWN"
    /\ state' = [state EXCEPT ![i] = "LOOKING"]
    /\ ElectionRestart(i)

\* What is under way on a link that breaks is lost. Both ends of a connection find it closed.
IsOpen(i, j) ==
    \/ handler[i][j] # "OFF" \/ handler[j][i] # "OFF"
    \/ channel[i][j] # <<>> \/ channel[j][i] # <<>>
CutAlone(i, j) ==
    /\ i < j
    /\ state[i] # "DOWN" /\ state[j] # "DOWN"
    /\ ~IsCut(i, j)
    /\ spent.partitions < MaxPartitions
    /\ spent' = [spent EXCEPT !.partitions = @ + 1]
    /\ cut' = cut \cup {{i, j}}
    /\ channel' = IF IsOpen(i, j) THEN [channel EXCEPT ![i][j] = <<Closed>>, ![j][i] = <<Closed>>] ELSE channel
    /\ ElectionCrash({}, {{i, j}})

HealAlone(i, j) ==
    /\ i < j
    /\ IsCut(i, j)
    /\ cut' = cut \ {{i, j}}
=============================================================================
