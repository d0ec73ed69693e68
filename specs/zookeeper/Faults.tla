------------------------------- MODULE Faults -------------------------------
(* Crashes and broken links that every server concerned notices at once: its   *)
(* followers leave a leader that is gone, and a leader gives up when no quorum *)
(* is connected any more.                                                      *)
EXTENDS Zk

IsUp(i) == state[i] # "DOWN"

\* The leaders and followers who stop when the servers `down` crash or the links in `links` break.
LostLearners(l, down, links) == {f \in Learners(l) : f \in down \/ {l, f} \in links}
Leavers(down, links) ==
    LET gone(l) == \/ l \in down
                   \/ LET lost == LostLearners(l, down, links)
                      IN  lost # {} /\ ~IsQuorum({l} \cup (Learners(l) \ lost))
        leaders == {l \in Server : state[l] = "LEADING" /\ gone(l)}
        followers == {f \in Server : IsFollowing(f) /\ (leaderOf[f] \in leaders \/ {f, leaderOf[f]} \in links)}
    IN  down \cup leaders \cup followers

Crash(i) ==
    /\ IsUp(i)
    /\ spent.crashes < MaxCrashes
    /\ spent' = [spent EXCEPT !.crashes = @ + 1]
    /\ \E leavers \in {Leavers({i}, {})} : Leave(leavers, {i})
    /\ ElectionCrash({i}, {})

\* The database of a server that is down is what it will load.
Restart(i) ==
    /\ state[i] = "DOWN"
    /\ state' = [state EXCEPT ![i] = "LOOKING"]
    /\ ElectionRestart(i)

Cut(i, j) ==
    /\ i < j
    /\ IsUp(i) /\ IsUp(j)
    /\ ~IsCut(i, j)
    /\ spent.partitions < MaxPartitions
    /\ spent' = [spent EXCEPT !.partitions = @ + 1]
    /\ cut' = cut \cup {{i, j}}
    /\ \E leavers \in {Leavers({}, {{i, j}})} : Leave(leavers, {})
    /\ ElectionCrash({}, {{i, j}})

Heal(i, j) ==
    /\ i < j
    /\ IsCut(i, j)
    /\ cut' = cut \ {{i, j}}
=============================================================================
