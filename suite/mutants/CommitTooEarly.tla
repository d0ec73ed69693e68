--------------------------- MODULE CommitTooEarly ---------------------------
(* A mutant of ../protocols/AtomicCommit.tla. The coordinator commits        *)
(* whoever has agreed: `yes = Participant` became `yes \subseteq             *)
(* Participant`.                                                             *)
EXTENDS Naturals, FiniteSets

CONSTANT Participant

VARIABLES
    state,    \* state[p]: "working", "prepared", "committed" or "aborted"
    coord,    \* "asking", "committed" or "aborted"
    yes,      \* the participants whose agreement has arrived
    msgs      \* everything that was sent

vars == <<state, coord, yes, msgs>>

Message ==
    [type : {"ask", "yes"}, of : Participant] \cup [type : {"commit", "abort"}]

TypeOK ==
    /\ state \in [Participant -> {"working", "prepared", "committed", "aborted"}]
    /\ coord \in {"asking", "committed", "aborted"}
    /\ yes \subseteq Participant
    /\ msgs \subseteq Message

Init ==
    /\ state = [p \in Participant |-> "working"]
    /\ coord = "asking"
    /\ yes = {}
    /\ msgs = {}

Ask(p) ==
    /\ coord = "asking"
    /\ [type |-> "ask", of |-> p] \notin msgs
    /\ msgs' = msgs \cup {[type |-> "ask", of |-> p]}
    /\ UNCHANGED <<state, coord, yes>>

Agree(p) ==
    /\ state[p] = "working"
    /\ [type |-> "ask", of |-> p] \in msgs
    /\ state' = [state EXCEPT ![p] = "prepared"]
    /\ msgs' = msgs \cup {[type |-> "yes", of |-> p]}
    /\ UNCHANGED <<coord, yes>>

Refuse(p) ==
    /\ state[p] = "working"
    /\ state' = [state EXCEPT ![p] = "aborted"]
    /\ UNCHANGED <<coord, yes, msgs>>

Hear(p) ==
    /\ coord = "asking"
    /\ [type |-> "yes", of |-> p] \in msgs
    /\ yes' = yes \cup {p}
    /\ UNCHANGED <<state, coord, msgs>>

Commit ==
    /\ coord = "asking"
    /\ yes \subseteq Participant
    /\ coord' = "committed"
    /\ msgs' = msgs \cup {[type |-> "commit"]}
    /\ UNCHANGED <<state, yes>>

Abort ==
    /\ coord = "asking"
    /\ coord' = "aborted"
    /\ msgs' = msgs \cup {[type |-> "abort"]}
    /\ UNCHANGED <<state, yes>>

Obey(p) ==
    /\ state[p] \in {"working", "prepared"}
    /\ \/ /\ [type |-> "commit"] \in msgs
          /\ state' = [state EXCEPT ![p] = "committed"]
       \/ /\ [type |-> "abort"] \in msgs
          /\ state' = [state EXCEPT ![p] = "aborted"]
    /\ UNCHANGED <<coord, yes, msgs>>

Next ==
    \/ Commit \/ Abort
    \/ \E p \in Participant : Ask(p) \/ Agree(p) \/ Refuse(p) \/ Hear(p) \/ Obey(p)

Spec == Init /\ [][Next]_vars

Agreement ==
    \A p, q \in Participant : ~(state[p] = "committed" /\ state[q] = "aborted")
NoSurprise ==
    \A p \in Participant : state[p] = "committed" => yes = Participant
=============================================================================
