---- MODULE LibraryNamesAreHidden ----
\* Every kind of name of the user's wins over one that a community module brings, directly or from what it
\* extends: each is reported once.
EXTENDS Naturals, Sequences, SequencesExt
CONSTANT Restrict, Choices(_)
VARIABLE Range, log
Max(a, b) == IF a > b THEN a ELSE b
RECURSIVE Quantify(_)
Quantify(n) == IF n = 0 THEN 0 ELSE 1 + Quantify(n - 1)
SumSet[n \in Nat] == IF n = 0 THEN 0 ELSE n + SumSet[n - 1]
f @@ g == <<f, g>>
Suffixes(s) == LET Min(a, b) == IF a < b THEN a ELSE b IN Min(Len(s), 2)
Bounded(IsSorted) == \A Inverse \in IsSorted : [Snoc \in {1} |-> Snoc] # {Cons \in {1} : Cons = Inverse}
Use == Front(<<1, Max(1, 2)>>) \o <<Quantify(1), SumSet[1], 1 @@ 2, Restrict, Choices(1), Range>>
Init == Range = 0 /\ log = <<>>
Next == Range' = Max(Range, 1) /\ log' = Reverse(Use) /\ Suffixes(log) = 0 /\ Bounded({1})
====
