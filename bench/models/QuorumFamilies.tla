--------------------------- MODULE QuorumFamilies ---------------------------
(* Sets of sets: a family of quorums is reconfigured one step at a time and  *)
(* stays a coterie, that is, every two quorums meet and none contains        *)
(* another, while nodes fail and come back.                                  *)
EXTENDS Naturals, FiniteSets

CONSTANTS Node, MaxQuorums

VARIABLES
    family,    \* the quorums in use
    retired,   \* quorums of the last change that are not in use any more
    down       \* nodes that have failed

vars == <<family, retired, down>>

Candidates == SUBSET Node \ {{}}
Meet(F) == \A P, Q \in F : P \cap Q # {}
Minimal(F) == {Q \in F : \A P \in F : P \subseteq Q => P = Q}
Replace(Q, n, m) == IF n \in Q THEN (Q \ {n}) \cup {m} ELSE Q

\* F takes the place of the family, if it is one and is not too large.
Install(F) ==
    /\ F # {}
    /\ {} \notin F
    /\ Meet(F)
    /\ Cardinality(F) <= MaxQuorums
    /\ family' = F
    /\ retired' = family \ F
    /\ UNCHANGED down

Init ==
    /\ family = {Node}
    /\ retired = {}
    /\ down = {}

Add(Q) == Q \notin family /\ Install(Minimal(family \cup {Q}))
Drop(Q) == Install(family \ {Q})
Exchange(n, m) == Install(Minimal({Replace(Q, n, m) : Q \in family}))
Shrink(n) == Install(Minimal({Q \ {n} : Q \in family}))
\* Every quorum gets the node n.
Widen(n) == Install(Minimal({Q \cup {n} : Q \in family}))
\* Whatever meets every quorum and is least is a quorum of the dual family.
Dual == Minimal({Q \in Candidates : \A P \in family : P \cap Q # {}})
TakeDual == Install(Dual)
Forget == retired # {} /\ retired' = {} /\ UNCHANGED <<family, down>>

\* Some quorum stays up.
Fail(n) ==
    /\ n \notin down
    /\ \E Q \in family : Q \cap (down \cup {n}) = {}
    /\ down' = down \cup {n}
    /\ UNCHANGED <<family, retired>>

Recover ==
    /\ down # {}
    /\ down' = {}
    /\ UNCHANGED <<family, retired>>

Next ==
    \/ \E Q \in Candidates : Add(Q)
    \/ \E Q \in family : Drop(Q)
    \/ \E n \in Node : Shrink(n) \/ Widen(n) \/ Fail(n) \/ \E m \in Node \ {n} : Exchange(n, m)
    \/ TakeDual \/ Forget \/ Recover

Spec == Init /\ [][Next]_vars

TypeOK == family \subseteq Candidates /\ retired \subseteq Candidates /\ down \subseteq Node
QuorumsMeet == \A P, Q \in family : P \cap Q # {}
NoneContainsAnother == Minimal(family) = family
RetiredAreOld == family \cap retired = {}
UsedNodesMatter == \A n \in UNION family : {Q \in family : n \in Q} # {}
=============================================================================
