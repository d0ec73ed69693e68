--------------------------- MODULE PlusCalTickets ---------------------------
(* The translation of a PlusCal algorithm: processes, a procedure with a     *)
(* stack, await, either, with, a local variable for each process. Customers  *)
(* draw tickets, and are served in the order of the numbers.                 *)
EXTENDS Naturals, Sequences

(*--algorithm Tickets
variables next = 1, serving = 1, log = <<>>;

define
    Fair == \A i \in 1..Len(log) : log[i].ticket = i
end define;

procedure serve(who, number)
begin
  Wait:
    await serving = number;
    log := Append(log, [customer |-> who, ticket |-> number]);
  Done_:
    serving := serving + 1;
    return;
end procedure;

process customer \in 1..2
variables ticket = 0;
begin
  Draw:
    ticket := next;
    next := next + 1;
  Go:
    either
        call serve(self, ticket);
    or
        with n \in {ticket} do
            await serving = n;
            serving := serving + 1;
            log := Append(log, [customer |-> self, ticket |-> n]);
        end with;
    end either;
end process;
end algorithm; *)
\* BEGIN TRANSLATION (chksum(pcal) = "d1d44264" /\ chksum(tla) = "d9f7c6ad")
CONSTANT defaultInitValue
VARIABLES pc, next, serving, log, stack

(* define statement *)
Fair == \A i \in 1..Len(log) : log[i].ticket = i

VARIABLES who, number, ticket

vars == << pc, next, serving, log, stack, who, number, ticket >>

ProcSet == (1..2)

Init == (* Global variables *)
        /\ next = 1
        /\ serving = 1
        /\ log = <<>>
        (* Procedure serve *)
        /\ who = [ self \in ProcSet |-> defaultInitValue]
        /\ number = [ self \in ProcSet |-> defaultInitValue]
        (* Process customer *)
        /\ ticket = [self \in 1..2 |-> 0]
        /\ stack = [self \in ProcSet |-> << >>]
        /\ pc = [self \in ProcSet |-> "Draw"]

Wait(self) == /\ pc[self] = "Wait"
              /\ serving = number[self]
              /\ log' = Append(log, [customer |-> who[self], ticket |-> number[self]])
              /\ pc' = [pc EXCEPT ![self] = "Done_"]
              /\ UNCHANGED << next, serving, stack, who, number, ticket >>

Done_(self) == /\ pc[self] = "Done_"
               /\ serving' = serving + 1
               /\ pc' = [pc EXCEPT ![self] = Head(stack[self]).pc]
               /\ who' = [who EXCEPT ![self] = Head(stack[self]).who]
               /\ number' = [number EXCEPT ![self] = Head(stack[self]).number]
               /\ stack' = [stack EXCEPT ![self] = Tail(stack[self])]
               /\ UNCHANGED << next, log, ticket >>

serve(self) == Wait(self) \/ Done_(self)

Draw(self) == /\ pc[self] = "Draw"
              /\ ticket' = [ticket EXCEPT ![self] = next]
              /\ next' = next + 1
              /\ pc' = [pc EXCEPT ![self] = "Go"]
              /\ UNCHANGED << serving, log, stack, who, number >>

Go(self) == /\ pc[self] = "Go"
            /\ \/ /\ /\ number' = [number EXCEPT ![self] = ticket[self]]
                     /\ stack' = [stack EXCEPT ![self] = << [ procedure |->  "serve",
                                                              pc        |->  "Done",
                                                              who       |->  who[self],
                                                              number    |->  number[self] ] >>
                                                          \o stack[self]]
                     /\ who' = [who EXCEPT ![self] = self]
                  /\ pc' = [pc EXCEPT ![self] = "Wait"]
                  /\ UNCHANGED <<serving, log>>
               \/ /\ \E n \in {ticket[self]}:
                       /\ serving = n
                       /\ serving' = serving + 1
                       /\ log' = Append(log, [customer |-> self, ticket |-> n])
                  /\ pc' = [pc EXCEPT ![self] = "Done"]
                  /\ UNCHANGED <<stack, who, number>>
            /\ UNCHANGED << next, ticket >>

customer(self) == Draw(self) \/ Go(self)

(* Allow infinite stuttering to prevent deadlock on termination. *)
Terminating == /\ \A self \in ProcSet: pc[self] = "Done"
               /\ UNCHANGED vars

Next == (\E self \in ProcSet: serve(self))
           \/ (\E self \in 1..2: customer(self))
           \/ Terminating

Spec == Init /\ [][Next]_vars

Termination == <>(\A self \in ProcSet: pc[self] = "Done")

\* END TRANSLATION 
=============================================================================
