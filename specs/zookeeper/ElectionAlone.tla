--------------------------- MODULE ElectionAlone ---------------------------
(* Fast leader election by itself: what it must do, and beginnings that the    *)
(* rest of ZooKeeper leaves behind.                                            *)
EXTENDS Election

\* A leader wrote a new epoch and crashed before anybody else did; nothing was ever logged. Greater ids win, but for the epoch of server 1.
ServerInit ==
    /\ state = [i \in Server |-> "LOOKING"]
    /\ zabState = [i \in Server |-> "ELECTION"]
    /\ currentEpoch = [i \in Server |-> IF i = 1 THEN 1 ELSE 0]
    /\ database = Nothing
    /\ leaderOf = [i \in Server |-> Nobody]
    /\ cut = {}

\* Of two votes at most one is better.
VotesAreOrdered ==
    \A i, j \in Server : IsLooking(i) /\ IsLooking(j) => ~(IsBetter(proposal[i], proposal[j]) /\ IsBetter(proposal[j], proposal[i]))

\* At most one server has the votes of a quorum.
OneIsElected == Cardinality({l \in Server : IsQuorum({i \in Server : leaderOf[i] = l})}) <= 1

\* In the end nobody changes its vote any more.
VotesSettle == <>[][FALSE]_proposal
=============================================================================
