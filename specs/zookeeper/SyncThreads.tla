----------------------------- MODULE SyncThreads -----------------------------
(* Synchronization with the threads of a follower: the QuorumPeer thread reads *)
(* packets, the SyncRequestProcessor logs and acknowledges what is in its      *)
(* queue, the CommitProcessor applies what is committed. What NEWLEADER makes  *)
(* the QuorumPeer thread do is a plan of steps; each repair is another plan.   *)
EXTENDS SyncCommon

(* "PR-1848": what is committed is logged and applied before the ACK           *)
(* "PR-1930": the queue is written before the epoch, and that before the ACK   *)
(* "PR-1993": everything is logged before the ACK of NEWLEADER goes out, and   *)
(*            that before the ACKs of proposals                                *)
(* "PR-2111": everything is logged, then the epoch; ACKs of proposals go out   *)
(*            after UPTODATE (3.8.5, 3.9.2)                                    *)
(* "PR-2152": what is committed is logged and applied, then the epoch; all     *)
(*            else is logged after UPTODATE (3.9.3)                            *)
(* "PR-2154": a server writes its queue before it stops, ZK-4712 (3.9.3)       *)
Plans == {"PR-1848", "PR-1930", "PR-1993", "PR-2111", "PR-2152"}
ASSUME Repairs \subseteq Plans \cup {"PR-2154"} /\ Cardinality(Repairs \cap Plans) <= 1

(* A step of a plan: `epoch`: writes the file currentEpoch; `log`: "queue":    *)
(* hands the packets to the SyncRequestProcessor, "persist": writes them to    *)
(* the log, "apply": writes those that are committed, and applies them;        *)
(* `waits`: until the queue is written; `acks`: "NEWLEADER", or "ALL" with     *)
(* what was logged.                                                            *)
Step(epoch, log, acks) == [epoch |-> epoch, log |-> log, waits |-> FALSE, acks |-> acks]
Plan ==
    CASE "PR-1848" \in Repairs -> <<Step(TRUE, "none", "none"), Step(FALSE, "apply", "NEWLEADER")>>
      [] "PR-1930" \in Repairs ->
             <<Step(FALSE, "queue", "none"), [Step(TRUE, "none", "none") EXCEPT !.waits = TRUE],
               Step(FALSE, "none", "NEWLEADER")>>
      [] "PR-1993" \in Repairs ->
             <<Step(TRUE, "none", "none"), Step(FALSE, "persist", "none"), Step(FALSE, "none", "ALL")>>
      [] "PR-2111" \in Repairs ->
             <<Step(FALSE, "persist", "none"), Step(TRUE, "none", "none"), Step(FALSE, "none", "NEWLEADER")>>
      [] "PR-2152" \in Repairs ->
             <<Step(FALSE, "apply", "none"), Step(TRUE, "none", "none"), Step(FALSE, "none", "NEWLEADER")>>
      \* Up to 3.6.2 (ZK-3911) packets were logged after UPTODATE.
      [] Repairs \cap Plans = {} /\ Release # "3.8.0" -> <<Step(TRUE, "none", "NEWLEADER")>>
      [] OTHER -> <<Step(TRUE, "queue", "none"), Step(FALSE, "none", "NEWLEADER")>>

AfterStep == <<"AFTER-1", "AFTER-2", "AFTER-3">>
Acks(zxids) == [n \in 1..Len(zxids) |-> Packet("ACK", zxids[n])]

\* Step n of the plan, where `log` is the log and `net` the channels before it.
DoStep(f, n, log, net) ==
    LET step == Plan[n]
        packets == packetsNotCommitted[f]
        committed == packetsCommitted[f]
        logged == CASE step.log = "persist" -> packets
                    [] step.log = "apply" -> committed
                    [] OTHER -> <<>>
        handed == IF step.log \in {"queue", "persist"} THEN packets ELSE <<>>
        acks == CASE step.acks = "none" -> <<>>
                  [] step.acks = "NEWLEADER" -> <<Packet("ACK", MakeZxid(acceptedEpoch[f], 0))>>
                  [] OTHER -> <<Packet("ACK", MakeZxid(acceptedEpoch[f], 0))>> \o Acks(pendingTxns[f])
    IN  /\ step.waits => queuedRequests[f] = <<>>
        /\ currentEpoch' = [currentEpoch EXCEPT ![f] = IF step.epoch THEN acceptedEpoch[f] ELSE @]
        /\ history' = [history EXCEPT ![f] = log \o logged]
        /\ queuedRequests' = [queuedRequests EXCEPT ![f] = IF step.log = "queue" THEN @ \o packets ELSE @]
        /\ pendingTxns' = [pendingTxns EXCEPT ![f] = @ \o handed]
        /\ database' = [database EXCEPT ![f] = IF step.log = "apply" THEN @ \o committed ELSE @]
        /\ packetsNotCommitted' = [packetsNotCommitted EXCEPT ![f] =
               IF step.log = "apply" THEN SubSeq(@, Len(committed) + 1, Len(@)) ELSE IF step.log = "none" THEN @ ELSE <<>>]
        /\ packetsCommitted' = [packetsCommitted EXCEPT ![f] = IF step.log = "apply" THEN <<>> ELSE @]
        /\ channel' = SendTo(net, f, leaderOf[f], acks)
        /\ syncStep' = [syncStep EXCEPT ![f] = IF n = Len(Plan) THEN "UPTODATE" ELSE AfterStep[n]]

\* case NEWLEADER of syncWithLeader: a snapshot if SNAP or TRUNC came first, and the first step.
ReceiveNewLeader(f) ==
    LET l == leaderOf[f]
    IN  /\ IsSyncing(f)
        /\ syncStep[f] \in {"DIFF", "TRUNC", "SNAP"}
        /\ IsHead(l, f, "NEWLEADER")
        /\ DoStep(f, 1, IF WritesToTxnLog(f) THEN history[f] ELSE database[f], [channel EXCEPT ![l][f] = Tail(@)])

ContinueNewLeader(f) ==
    /\ IsSyncing(f)
    /\ \E n \in 2..Len(Plan) : syncStep[f] = AfterStep[n - 1] /\ DoStep(f, n, history[f], channel)

\* case UPTODATE of syncWithLeader, and what follows the loop: an ACK, zk.startServing, logRequest for the packets that are not
\* logged, and FollowerZooKeeperServer.commit for those that are committed.
ReceiveUpToDate(f) ==
    LET l == leaderOf[f]
        packets == packetsNotCommitted[f]
        committed == packetsCommitted[f]
        pending == pendingTxns[f] \o packets
        isKnown == IsPrefix(committed, pending)
        late == IF "PR-2111" \in Repairs THEN Acks(pendingTxns[f]) ELSE <<>>
    IN  /\ IsSyncing(f)
        /\ syncStep[f] = "UPTODATE"
        /\ IsHead(l, f, "UPTODATE")
        /\ zabState' = [zabState EXCEPT ![f] = "BROADCAST"]
        /\ syncStep' = [syncStep EXCEPT ![f] = "NONE"]
        /\ queuedRequests' = [queuedRequests EXCEPT ![f] = @ \o packets]
        /\ pendingTxns' = [pendingTxns EXCEPT ![f] = IF isKnown THEN SubSeq(pending, Len(committed) + 1, Len(pending)) ELSE pending]
        /\ committedRequests' = [committedRequests EXCEPT ![f] = IF isKnown THEN @ \o committed ELSE @]
        /\ packetsNotCommitted' = [packetsNotCommitted EXCEPT ![f] = <<>>]
        /\ packetsCommitted' = [packetsCommitted EXCEPT ![f] = <<>>]
        /\ channel' = Reply(channel, l, f, <<Packet("ACK", MakeZxid(acceptedEpoch[f], 0))>> \o late)
        /\ alarms' = IF isKnown THEN alarms ELSE alarms \cup {"I-14"}

-----------------------------------------------------------------------------
\* SyncRequestProcessor.run for one request, and SendAckRequestProcessor.
SyncThreadLog(f) ==
    /\ IsFollowing(f)
    /\ queuedRequests[f] # <<>>
    /\ history' = [history EXCEPT ![f] = Append(@, Head(queuedRequests[f]))]
    /\ queuedRequests' = [queuedRequests EXCEPT ![f] = Tail(@)]
    /\ channel' = SendTo(channel, f, leaderOf[f], <<Packet("ACK", Head(queuedRequests[f]))>>)

\* SyncRequestProcessor.run in a thread that Learner.shutdown did not stop (ZK-4712). Its socket is closed: it ends when it acknowledges
\* the first batch. A batch is one transaction here (zookeeper.maxBatchSize=1).
SyncThreadLogLate(f) ==
    /\ lateRequests[f] # <<>>
    /\ history' = [history EXCEPT ![f] = Append(@, Head(lateRequests[f]))]
    /\ lateRequests' = [lateRequests EXCEPT ![f] = Tail(@)]

\* CommitProcessor.run for one request, and FinalRequestProcessor.
CommitThreadApply(f) ==
    /\ committedRequests[f] # <<>>
    /\ database' = [database EXCEPT ![f] = Append(@, Head(committedRequests[f]))]
    /\ committedRequests' = [committedRequests EXCEPT ![f] = Tail(@)]

-----------------------------------------------------------------------------
ThreadsInit ==
    /\ SyncCommonInit
    /\ queuedRequests = Nothing
    /\ lateRequests = Nothing
    /\ pendingTxns = Nothing
    /\ committedRequests = Nothing

FirstOf(s) == IF s = <<>> THEN <<>> ELSE <<Head(s)>>
\* Learner.shutdown does not stop the SyncRequestProcessor; repaired, it waits until the queue is written.
ThreadsLeave(S, down) ==
    LET isDrained == "PR-2154" \in Repairs
        log(i) == IF isDrained THEN history[i] \o queuedRequests[i] ELSE history[i]
    IN  /\ SyncCommonLeave(S)
        /\ history' = [i \in Server |-> IF i \in S \ down THEN log(i) ELSE history[i]]
        /\ database' = [i \in Server |->
               IF i \in down THEN history[i] ELSE IF i \in S THEN AfterShutdown(i, log(i)) ELSE database[i]]
        /\ lateRequests' = [i \in Server |->
               CASE i \in down -> <<>>
                 [] i \in S \ down /\ ~isDrained -> lateRequests[i] \o FirstOf(queuedRequests[i])
                 [] OTHER -> lateRequests[i]]
        /\ queuedRequests' = [i \in Server |-> IF i \in S THEN <<>> ELSE queuedRequests[i]]
        /\ pendingTxns' = [i \in Server |-> IF i \in S THEN <<>> ELSE pendingTxns[i]]
        /\ committedRequests' = [i \in Server |-> IF i \in S THEN <<>> ELSE committedRequests[i]]
=============================================================================
