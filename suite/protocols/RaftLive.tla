------------------------------- MODULE RaftLive ------------------------------
(* `RaftLog` with weak fairness of each action of each server, and one `~>`.  *)
EXTENDS RaftLog

Fair ==
    \A i \in Server :
        /\ WF_vars(Timeout(i))
        /\ WF_vars(BecomeLeader(i))
        /\ WF_vars(AdvanceCommit(i))
        /\ \A v \in Value : WF_vars(ClientRequest(i, v))
        /\ \A j \in Server :
            /\ WF_vars(AskVote(i, j))
            /\ WF_vars(SendEntries(i, j))
            /\ WF_vars(Receive(i, j))
            /\ WF_vars(Lose(i, j))
FairSpec == Spec /\ Fair

Delivered ==
    LET i == CHOOSE s \in Server : TRUE
        j == CHOOSE s \in Server \ {i} : TRUE
    IN  net[i][j] # <<>> ~> net[i][j] = <<>>
=============================================================================
