-------------------------------- MODULE Nested ------------------------------
(* Temporal operators inside one another, LET, IF, parameters and both       *)
(* quantifiers around them.                                                  *)
EXTENDS Naturals
CONSTANT N
VARIABLES x, seen
vars == <<x, seen>>
Init == x = 0 /\ seen = FALSE
Up == x < N /\ x' = x + 1 /\ UNCHANGED seen
Back == x = N /\ x' = 1 /\ seen' = TRUE
Next == Up \/ Back
Spec == Init /\ [][Next]_vars /\ WF_vars(Next)

Stays(P) == <>[]P
Leads(P, Q) == P ~> Q
Both(F, G) == F /\ G

OnceSeen == [](seen => []seen)
NeverSeen == [](x = N => []~seen)
SettlesThen == [](x = 0 => <>[](x # 0))
SettlesAtOne == [](x = 1 => <>[](x = 1))
Implied == <>(x = N) => <>seen
ImpliedNot == <>(x = N) => [](x < N)
Passed == Both(Stays(seen), []<>(x = N))
PassedNot == Both(Leads(x = 1, x = N), Stays(x = N))
AllVisited == \A i \in 1..N : []<>(x = i)
AllStay == \A i \in 1..N : <>[](x = i)
SomeStays == \E i \in 0..N : <>[](x = i)
SomeAgain == \E i \in 0..N : []<>(x = i)
Chosen == LET goal == N
              Reaches(i) == <>(x = i)
          IN  IF N > 1 THEN Reaches(goal) ELSE Reaches(N + 1)
ChosenNot == LET goal == N + 1 IN IF x = 0 THEN <>(x = goal) ELSE <>TRUE
Pairs == \A i, j \in 1..N : i < j => (x = i ~> x = j)
Labelled == lab :: (seen ~> x = 1)
NotAlways == ~[](x < N)
NotEver == ~<>(x = N)
=============================================================================
