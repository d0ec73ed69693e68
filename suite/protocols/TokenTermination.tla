--------------------------- MODULE TokenTermination -------------------------
(* Is everyone done? A token goes round a ring and counts messages; nodes    *)
(* that have received since it passed are black and spoil the round. When    *)
(* the token comes back white with a sum of zero, everyone is idle and       *)
(* nothing is under way.                                                     *)
EXTENDS Integers, FiniteSets

CONSTANTS N, MaxSends

Node == 0..(N - 1)

VARIABLES
    active, colour, balance,   \* of each node
    flying,                    \* messages under way to each node
    token,                     \* where it is, its colour and its sum
    sends,                     \* how many messages were sent, to bound the search
    done                       \* node 0 has said that all is done

vars == <<active, colour, balance, flying, token, sends, done>>

Init ==
    /\ active \in [Node -> BOOLEAN]
    /\ colour = [n \in Node |-> "white"]
    /\ balance = [n \in Node |-> 0]
    /\ flying = [n \in Node |-> 0]
    /\ token = [at |-> 0, colour |-> "black", sum |-> 0]
    /\ sends = 0
    /\ done = FALSE

Send(n, m) ==
    /\ active[n] /\ n # m
    /\ sends < MaxSends
    /\ sends' = sends + 1
    /\ flying' = [flying EXCEPT ![m] = @ + 1]
    /\ balance' = [balance EXCEPT ![n] = @ + 1]
    /\ UNCHANGED <<active, colour, token, done>>

Receive(n) ==
    /\ flying[n] > 0
    /\ flying' = [flying EXCEPT ![n] = @ - 1]
    /\ balance' = [balance EXCEPT ![n] = @ - 1]
    /\ active' = [active EXCEPT ![n] = TRUE]
    /\ colour' = [colour EXCEPT ![n] = "black"]
    /\ UNCHANGED <<token, sends, done>>

Rest(n) ==
    /\ active[n]
    /\ active' = [active EXCEPT ![n] = FALSE]
    /\ UNCHANGED <<colour, balance, flying, token, sends, done>>

PassOn(n) ==
    /\ n # 0 /\ token.at = n /\ ~active[n]
    /\ token' = [at |-> n - 1,
                 colour |-> IF colour[n] = "black" THEN "black" ELSE token.colour,
                 sum |-> token.sum + balance[n]]
    /\ colour' = [colour EXCEPT ![n] = "white"]
    /\ UNCHANGED <<active, balance, flying, sends, done>>

RoundIsClean == token.colour = "white" /\ colour[0] = "white" /\ token.sum + balance[0] = 0

Begin ==
    /\ token.at = 0 /\ ~active[0] /\ ~RoundIsClean /\ ~done
    /\ token' = [at |-> N - 1, colour |-> "white", sum |-> 0]
    /\ colour' = [colour EXCEPT ![0] = "white"]
    /\ UNCHANGED <<active, balance, flying, sends, done>>

Announce ==
    /\ token.at = 0 /\ ~active[0] /\ RoundIsClean
    /\ done' = TRUE
    /\ UNCHANGED <<active, colour, balance, flying, token, sends>>

Next ==
    \/ Begin \/ Announce
    \/ \E n \in Node : Receive(n) \/ Rest(n) \/ PassOn(n) \/ \E m \in Node : Send(n, m)
Spec == Init /\ [][Next]_vars

Quiet == \A n \in Node : ~active[n] /\ flying[n] = 0
OnlyWhenQuiet == done => Quiet
=============================================================================
