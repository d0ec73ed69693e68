---------------------------- MODULE Connections ----------------------------
(* How nodes of PySyncObj connect. Of two nodes the one with the greater     *)
(* address dials, and says who it is in the first message. That message may  *)
(* be lost: the connection was reset since it was made.                      *)
(*                                                                           *)
(* "state": a connection whose first send failed is not taken for connected  *)
(*          in the end                                       0.3.11          *)
(* "known": nor is its peer, and an attempt to connect that was begun when   *)
(*          it failed is not taken for a connection          in no release   *)
EXTENDS Naturals, Sequences, FiniteSets

CONSTANTS n1, n2, n3, Repairs, MaxCuts, MaxBreaks, MaxPasses
ASSUME Repairs \subseteq {"state", "known"}

Order == <<n1, n2, n3>>
Node == {n1, n2, n3}
Links == {<<Order[a], Order[b]>> : <<a, b>> \in {p \in (1..3) \X (1..3) : p[1] > p[2]}}   \* who dials whom

VARIABLES
    conn,    \* what the dialling node has for each link: its state, and whether there is a socket
    known,   \* whom each node takes for connected
    cut,     \* links on which nobody is reached
    due,     \* links for which the last attempt is longer ago than connectionRetryTime
    spent
vars == <<conn, known, cut, due, spent>>

Conn(s, isOpen) == [state |-> s, isOpen |-> isOpen]
Up == Conn("connected", TRUE)
Asking == Conn("connecting", TRUE)
Down == Conn("disconnected", FALSE)

Init ==
    /\ conn = [l \in Links |-> Up]
    /\ known = [i \in Node |-> Node \ {i}]
    /\ cut = {}
    /\ due = {}
    /\ spent = [cuts |-> 0, breaks |-> 0, passes |-> [i \in Node |-> 0]]

\* Both ends of these links know of each other, or nobody knows of the other.
Knowing(ls, k) == [i \in Node |-> k[i] \cup {j \in Node : <<i, j>> \in ls \/ <<j, i>> \in ls}]
Forgetting(l, k) == [k EXCEPT ![l[1]] = @ \ {l[2]}, ![l[2]] = @ \ {l[1]}]

\* Who sees a connection break dials again at once, if the last time is long enough ago.
Cut(i, j) ==
    LET l == <<i, j>>
        isBroken == conn[l] = Up
    IN  /\ l \in Links \ cut /\ spent.cuts < MaxCuts
        /\ cut' = cut \cup {l}
        /\ conn' = IF isBroken THEN [conn EXCEPT ![l] = IF l \in due THEN Asking ELSE Down] ELSE conn
        /\ due' = IF isBroken THEN due \ {l} ELSE due
        /\ known' = IF isBroken THEN Forgetting(l, known) ELSE known
        /\ spent' = [spent EXCEPT !.cuts = @ + 1]

\* What waits to be connected is.
Heal(i, j) ==
    LET l == <<i, j>>
        isMade == conn[l] = Asking
    IN  /\ l \in cut
        /\ cut' = cut \ {l}
        /\ conn' = IF isMade THEN [conn EXCEPT ![l] = Up] ELSE conn
        /\ known' = IF isMade THEN Knowing({l}, known) ELSE known
        /\ UNCHANGED <<due, spent>>

\* Likewise, but the first send fails. The connection is given up, which may begin the next attempt at once; only then the caller goes on,
\* for whom it is connected.
HealAndBreak(i, j) ==
    LET l == <<i, j>>
        isAgain == l \in due
    IN  /\ l \in cut /\ conn[l] = Asking /\ spent.breaks < MaxBreaks
        /\ cut' = cut \ {l}
        /\ due' = due \ {l}
        /\ spent' = [spent EXCEPT !.breaks = @ + 1]
        /\ IF "known" \in Repairs
           THEN /\ conn' = [conn EXCEPT ![l] = IF isAgain THEN Up ELSE Down]
                /\ known' = IF isAgain THEN Knowing({l}, known) ELSE known
           ELSE /\ conn' = [conn EXCEPT ![l] = IF isAgain THEN Up
                                               ELSE IF "state" \in Repairs THEN Down ELSE Conn("connected", FALSE)]
                /\ known' = [known EXCEPT ![i] = @ \cup {j}]

\* Six seconds on the clock of i, which is more than connectionRetryTime: it dials whom it has no connection with.
Pass(i) ==
    LET own == {l \in Links : l[1] = i}
        dialled == {l \in own : conn[l].state = "disconnected"}
    IN  /\ spent.passes[i] < MaxPasses
        /\ conn' = [l \in Links |-> IF l \notin dialled THEN conn[l] ELSE IF l \in cut THEN Asking ELSE Up]
        /\ known' = Knowing(dialled \ cut, known)
        /\ due' = (due \cup own) \ dialled
        /\ spent' = [spent EXCEPT !.passes[i] = @ + 1]
        /\ UNCHANGED cut

Next ==
    \/ \E i, j \in Node : Cut(i, j) \/ Heal(i, j) \/ HealAndBreak(i, j)
    \/ \E i \in Node : Pass(i)

Spec == Init /\ [][Next]_vars

-----------------------------------------------------------------------------
\* What is connected has a socket.
ConnectedIsOpen == \A l \in Links : conn[l].state = "connected" => conn[l].isOpen

\* Who is taken for connected is.
KnownIsConnected == \A l \in Links : l[2] \in known[l[1]] => conn[l] = Up

\* Of two that are connected both know it.
BothKnow == \A l \in Links : conn[l] = Up => l[2] \in known[l[1]] /\ l[1] \in known[l[2]]
=============================================================================
