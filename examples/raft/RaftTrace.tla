------------------------------ MODULE RaftTrace -----------------------------
(* Whether a log of `raft-node` is a behaviour of `Raft`. The lines of all   *)
(* nodes are in one file, by `clock` and then by `node`:                     *)
(*                                                                           *)
(*   LOG=run.ndjson specline check RaftTrace.tla                             *)
EXTENDS Raft, Json, IOUtils, TLC

VARIABLE line    \* the line that comes next

Lines == ndJsonDeserialize(IOEnv.LOG)
E == Lines[line]

\* The message is under way, and is taken now.
Arrived == E.msg \in Range(net[E.from][E.node])
\* The last message under way to j is this.
Sent(i, j, m) == net'[i][j] # <<>> /\ net'[i][j][Len(net'[i][j])] = m

StartLine == E.event = "start" /\ Start(E.node) /\ log'[E.node] = E.log
TimeoutLine ==
    /\ E.event = "timeout"
    /\ Timeout(E.node)
    /\ \A j \in Server \ {E.node} : Sent(E.node, j, E.msg)
StepDownLine == E.event = "step-down" /\ Arrived /\ StepDown(E.node, E.from, E.msg)
HandleAskLine ==
    /\ E.event = "handle-ask"
    /\ Arrived
    /\ HandleAsk(E.node, E.from, E.msg)
    /\ Sent(E.node, E.from, E.reply)
HandleVoteLine ==
    /\ E.event = "handle-vote"
    /\ Arrived
    /\ HandleVote(E.node, E.from, E.msg)
    /\ votes'[E.node] = Range(E.votes)
BecomeLeaderLine == E.event = "become-leader" /\ BecomeLeader(E.node) /\ votes'[E.node] = Range(E.votes)
ClientRequestLine == E.event = "client-request" /\ ClientRequest(E.node, E.value)
SendAppendLine ==
    /\ E.event = "send-append"
    /\ SendAppend(E.node, E.to, Len(E.msg.entries))
    /\ Sent(E.node, E.to, E.msg)
HandleAppendLine ==
    /\ E.event = "handle-append"
    /\ Arrived
    /\ HandleAppend(E.node, E.from, E.msg)
    /\ Sent(E.node, E.from, E.reply)
HandleReplyLine ==
    /\ E.event = "handle-reply"
    /\ Arrived
    /\ HandleReply(E.node, E.from, E.msg)
    /\ nextIndex'[E.node][E.from] = E.next
    /\ matchIndex'[E.node][E.from] = E["match"]
AdvanceCommitLine == E.event = "advance-commit" /\ AdvanceCommit(E.node, E.commit)

TraceInit == Init /\ line = 1
TraceNext ==
    /\ line <= Len(Lines)
    /\ line' = line + 1
    /\ \/ StartLine \/ TimeoutLine \/ StepDownLine \/ HandleAskLine \/ HandleVoteLine \/ BecomeLeaderLine
       \/ ClientRequestLine \/ SendAppendLine \/ HandleAppendLine \/ HandleReplyLine \/ AdvanceCommitLine
    /\ term'[E.node] = E.term
    /\ role'[E.node] = E.role
    /\ votedFor'[E.node] = E.votedFor
    /\ Len(log'[E.node]) = E.last
    /\ commit'[E.node] = E.commit

\* All lines are explained. The first state is there before the first line, so that the depth of a search
\* that fails is the number of the line that it could not explain.
Explained == TLCGet("stats").diameter - 1 = Len(Lines)
=============================================================================
