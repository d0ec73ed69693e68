--------------------------- MODULE TwoPhaseCommit ---------------------------
(***************************************************************************)
(* A coordinator and its participants agree to commit or to abort. The     *)
(* network only grows: messages are read, never removed.                   *)
(***************************************************************************)
EXTENDS Naturals, FiniteSets

CONSTANT Participant

VARIABLES
    phase,      \* phase[p] is where participant p stands
    coord,      \* what the coordinator does
    ready,      \* the participants that said they are prepared
    msgs        \* everything ever sent

vars == <<phase, coord, ready, msgs>>

Message == [type : {"prepared"}, from : Participant] \cup [type : {"commit", "abort"}]

TypeOK ==
    /\ phase \in [Participant -> {"working", "prepared", "committed", "aborted"}]
    /\ coord \in {"waiting", "committed", "aborted"}
    /\ ready \subseteq Participant
    /\ msgs \subseteq Message

Init ==
    /\ phase = [p \in Participant |-> "working"]
    /\ coord = "waiting"
    /\ ready = {}
    /\ msgs = {}

Send(m) == msgs' = msgs \cup {m}

Prepare(p) ==
    /\ phase[p] = "working"
    /\ phase' = [phase EXCEPT ![p] = "prepared"]
    /\ Send([type |-> "prepared", from |-> p])
    /\ UNCHANGED <<coord, ready>>

Refuse(p) ==
    /\ phase[p] = "working"
    /\ phase' = [phase EXCEPT ![p] = "aborted"]
    /\ UNCHANGED <<coord, ready, msgs>>

Hear(p) ==
    /\ coord = "waiting"
    /\ [type |-> "prepared", from |-> p] \in msgs
    /\ ready' = ready \cup {p}
    /\ UNCHANGED <<phase, coord, msgs>>

Decide(outcome) ==
    /\ coord = "waiting"
    /\ outcome = "commit" => ready = Participant
    /\ coord' = IF outcome = "commit" THEN "committed" ELSE "aborted"
    /\ Send([type |-> outcome])
    /\ UNCHANGED <<phase, ready>>

Learn(p) ==
    /\ \/ /\ [type |-> "commit"] \in msgs
          /\ phase' = [phase EXCEPT ![p] = "committed"]
       \/ /\ [type |-> "abort"] \in msgs
          /\ phase' = [phase EXCEPT ![p] = "aborted"]
    /\ UNCHANGED <<coord, ready, msgs>>

Next ==
    \/ \E p \in Participant : Prepare(p) \/ Refuse(p) \/ Hear(p) \/ Learn(p)
    \/ \E outcome \in {"commit", "abort"} : Decide(outcome)

Spec == Init /\ [][Next]_vars /\ WF_vars(Next)

Agreement ==
    \A p, q \in Participant : ~(phase[p] = "committed" /\ phase[q] = "aborted")

Decided == coord # "waiting" ~> \A p \in Participant : phase[p] \in {"committed", "aborted"}

THEOREM Spec => [](TypeOK /\ Agreement)
=============================================================================
