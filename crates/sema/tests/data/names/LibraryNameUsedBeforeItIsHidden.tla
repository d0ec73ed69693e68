---- MODULE LibraryNameUsedBeforeItIsHidden ----
\* One name would mean two things in one module.
EXTENDS Naturals, SequencesExt
Largest == Max({1, 2})
Max(a, b) == IF a > b THEN a ELSE b
\* Nor is the library's meant inside the definition: recursion must be declared.
Min(S) == IF S = {} THEN 0 ELSE Min(S \ {0})
\* A bound name has a scope of its own.
Fine == Cons(1, <<>>) = <<>> /\ \A Cons \in {1} : Cons = 1
====
