------------------------ MODULE InstanceSubstitution ------------------------
(* INSTANCE ... WITH puts expressions in place of constants and variables;   *)
(* what is not named in WITH is the symbol of the same name here. A variable *)
(* that stands for another one can be assigned; one that stands for an       *)
(* expression can only be read.                                              *)
EXTENDS Naturals

VARIABLES left, right, steps

\* limit <- 3, and value is one of our own variables.
L == INSTANCE CounterParts WITH value <- left, limit <- 3
R == INSTANCE CounterParts WITH value <- right, limit <- L!limitUsed - 1
\* Of both together; steps goes to steps without a word.
Sum == INSTANCE CounterParts WITH value <- left + right, limit <- 5

ASSUME L!limitUsed = 3 /\ R!limitUsed = 2 /\ Sum!limitUsed = 5
ASSUME L!Double(4) = 8

Init == L!Start /\ R!Start /\ steps = 0
Next ==
    \/ L!Up /\ UNCHANGED right
    \/ R!Up /\ UNCHANGED left
    \/ Sum!AtLimit /\ left' = 0 /\ right' = 0 /\ steps' = 0

Bounded == L!Small /\ R!Small /\ Sum!Small
Counted == steps = left + right
=============================================================================
