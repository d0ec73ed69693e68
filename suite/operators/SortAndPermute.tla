--------------------------- MODULE SortAndPermute ---------------------------
(* SortSeq keeps equal elements in their order; Permutations are the         *)
(* bijections of a set.                                                      *)
EXTENDS Integers, Sequences, FiniteSets, TLC

VARIABLES s

ASSUME SortSeq(<<3, 1, 2>>, <) = <<1, 2, 3>>
ASSUME SortSeq(<<3, 1, 2>>, >) = <<3, 2, 1>>
ASSUME SortSeq(<<>>, <) = <<>>
ASSUME SortSeq(<<2, 2, 1>>, LAMBDA x, y : x < y) = <<1, 2, 2>>
\* By the first component only: <<1, "b">> stays before <<1, "a">>.
ASSUME SortSeq(<<<<2, "c">>, <<1, "b">>, <<1, "a">>>>, LAMBDA x, y : x[1] < y[1])
       = <<<<1, "b">>, <<1, "a">>, <<2, "c">>>>
ASSUME SortSeq([i \in 1..4 |-> 5 - i], <) = <<1, 2, 3, 4>>

ASSUME Permutations({}) = {<<>>}
ASSUME Permutations({1, 2}) = {<<1, 2>>, <<2, 1>>}
ASSUME Cardinality(Permutations(1..4)) = 24
ASSUME \A p \in Permutations({"a", "b", "c"}) : {p[x] : x \in {"a", "b", "c"}} = {"a", "b", "c"}
ASSUME Permutations({5, 7}) = {f \in [{5, 7} -> {5, 7}] : f[5] # f[7]}

Init == s = <<4, 2, 3, 1>>
\* Exchange two neighbours in the wrong order: all ways lead to the sorted one.
Next == \E i \in 1..3 : s[i] > s[i + 1] /\ s' = [s EXCEPT ![i] = s[i + 1], ![i + 1] = s[i]]
SameSorted == SortSeq(s, <) = <<1, 2, 3, 4>>
IsPermutation == s \in Permutations(1..4)
=============================================================================
