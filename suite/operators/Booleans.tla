------------------------------ MODULE Booleans ------------------------------
(* Truth tables of the connectives, how tightly each binds, and bulleted     *)
(* lists. The variable runs through the rows of one table, so that the       *)
(* number of states says how often a formula was true.                       *)
EXTENDS Naturals

VARIABLES p, q, seen

Table(Op(_, _)) == <<Op(FALSE, FALSE), Op(FALSE, TRUE), Op(TRUE, FALSE), Op(TRUE, TRUE)>>

Both(a, b) == a /\ b
Either(a, b) == a \/ b
Implies(a, b) == a => b
Same(a, b) == a <=> b
Alike(a, b) == a \equiv b
Apart(a, b) == a # b

ASSUME Table(Both) = <<FALSE, FALSE, FALSE, TRUE>>
ASSUME Table(Either) = <<FALSE, TRUE, TRUE, TRUE>>
ASSUME Table(Implies) = <<TRUE, TRUE, FALSE, TRUE>>
ASSUME Table(Same) = <<TRUE, FALSE, FALSE, TRUE>>
ASSUME Table(Alike) = Table(Same)
ASSUME Table(Apart) = <<FALSE, TRUE, TRUE, FALSE>>

\* Every spelling of the same thing.
ASSUME (~TRUE) = FALSE /\ (\lnot TRUE) = FALSE /\ (\neg FALSE) = TRUE
ASSUME (TRUE \land FALSE) = FALSE /\ (TRUE \lor FALSE) = TRUE
ASSUME (TRUE /= FALSE) /\ TRUE # FALSE

\* Negation binds tightest, then \/ and /\, then => and <=>.
ASSUME ~FALSE \/ TRUE
ASSUME (~ FALSE /\ FALSE) = FALSE
ASSUME (FALSE /\ TRUE => FALSE) = TRUE
ASSUME (TRUE => FALSE \/ TRUE) = TRUE
ASSUME (TRUE <=> FALSE \/ TRUE) = TRUE
ASSUME (1 = 2) = FALSE
ASSUME (~ 1 = 2) = TRUE

\* A list of bullets is as wide as its items are indented.
Nested ==
    \/ /\ FALSE
       /\ TRUE
    \/ /\ TRUE
       /\ \/ FALSE
          \/ TRUE
ASSUME Nested
ASSUME
    /\ \/ FALSE
       \/ TRUE
    /\ TRUE => /\ TRUE
               /\ TRUE

ASSUME BOOLEAN = {TRUE, FALSE}
ASSUME IF TRUE THEN 1 = 1 ELSE 1 = 2
ASSUME (IF FALSE THEN 10 ELSE 20) + 1 = 21
\* ELSE reaches as far as it can.
ASSUME (IF TRUE THEN 10 ELSE 20 + 1) = 10

Init ==
    /\ p \in BOOLEAN
    /\ q \in BOOLEAN
    /\ seen = 0

\* One row in two is allowed to count: where exactly one of the two is true.
Next ==
    /\ seen < 3
    /\ (p \/ q) /\ ~(p /\ q)
    /\ seen' = seen + 1
    /\ p' = ~p
    /\ q' = (q <=> FALSE)

Exclusive == seen > 0 => p # q
=============================================================================
