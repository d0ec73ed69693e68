-------------------------------- MODULE Bank --------------------------------
(* Transfers between accounts, asked for and carried out in the same order. *)
(* What a log of it says leaves no choice: see `cargo xtask bench --log`.   *)
EXTENDS Naturals, Sequences

CONSTANTS Account, MaxAmount

VARIABLES
    balance,    \* what each account has
    queue,      \* transfers that were asked for
    done        \* how many were carried out

vars == <<balance, queue, done>>

Init == balance = [a \in Account |-> 100] /\ queue = <<>> /\ done = 0

Request(from, to, amount) ==
    /\ from # to
    /\ amount <= balance[from]
    /\ queue' = Append(queue, [from |-> from, to |-> to, amount |-> amount])
    /\ UNCHANGED <<balance, done>>

\* One that the account cannot pay any more is done without effect.
Transfer ==
    LET next == Head(queue)
    IN  /\ queue # <<>>
        /\ balance' = IF next.amount <= balance[next.from]
                      THEN [balance EXCEPT ![next.from] = @ - next.amount, ![next.to] = @ + next.amount]
                      ELSE balance
        /\ queue' = Tail(queue)
        /\ done' = done + 1

Next == (\E from, to \in Account, amount \in 1..MaxAmount : Request(from, to, amount)) \/ Transfer

Spec == Init /\ [][Next]_vars
=============================================================================
