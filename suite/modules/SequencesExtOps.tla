--------------------------- MODULE SequencesExtOps --------------------------
(* The operators of SequencesExt, each on a small example and at an edge.    *)
EXTENDS Integers, Sequences, SequencesExt, FiniteSets

VARIABLE s

ASSUME ToSet(<<1, 2, 1>>) = {1, 2} /\ ToSet(<<>>) = {}
ASSUME SetToSeq({}) = <<>> /\ ToSet(SetToSeq({3, 1, 2})) = 1..3 /\ Len(SetToSeq({3, 1, 2})) = 3
ASSUME SetToSeqs({1, 2}) = {<<1, 2>>, <<2, 1>>}
ASSUME SetToSortSeq({3, 1, 2}, >) = <<3, 2, 1>>
ASSUME Cardinality(SetToAllKPermutations({1, 2})) = 5
ASSUME TupleOf({0, 1}, 2) = {<<0, 0>>, <<0, 1>>, <<1, 0>>, <<1, 1>>}
ASSUME SeqOf({1}, 2) = {<<>>, <<1>>, <<1, 1>>}
ASSUME BoundedSeq({1}, 2) = SeqOf({1}, 2)
ASSUME Contains(<<1, 2>>, 2) /\ ~Contains(<<>>, 1)
ASSUME Reverse(<<1, 2, 3>>) = <<3, 2, 1>> /\ Reverse(<<>>) = <<>>
ASSUME Remove(<<1, 2, 1>>, 1) = <<2>>
ASSUME ReplaceAll(<<1, 2, 1>>, 1, 9) = <<9, 2, 9>>
ASSUME SelectInSeq(<<5, 8, 9>>, LAMBDA e : e > 6) = 2 /\ SelectInSeq(<<5>>, LAMBDA e : e > 6) = 0
ASSUME SelectLastInSeq(<<5, 8, 9>>, LAMBDA e : e > 6) = 3
ASSUME SelectInSubSeq(<<8, 5, 9>>, 2, 3, LAMBDA e : e > 6) = 3
ASSUME SelectLastInSubSeq(<<8, 5, 9>>, 1, 2, LAMBDA e : e > 6) = 1
ASSUME InsertAt(<<1, 3>>, 2, 2) = <<1, 2, 3>> /\ InsertAt(<<>>, 1, 7) = <<7>>
ASSUME ReplaceAt(<<1, 9>>, 2, 2) = <<1, 2>>
ASSUME RemoveAt(<<1, 2, 3>>, 2) = <<1, 3>>
ASSUME RemoveFirst(<<1, 2, 1>>, 1) = <<2, 1>> /\ RemoveFirst(<<1>>, 5) = <<1>>
ASSUME RemoveFirstMatch(<<1, 2, 3>>, LAMBDA e : e > 1) = <<1, 3>>
ASSUME Cons(1, <<2>>) = <<1, 2>> /\ Snoc(2, <<1>>) = <<1, 2>>
ASSUME Front(<<1, 2>>) = <<1>> /\ Last(<<1, 2>>) = 2 /\ Front(<<1>>) = <<>>
ASSUME IsPrefix(<<1>>, <<1, 2>>) /\ IsPrefix(<<>>, <<>>) /\ ~IsPrefix(<<2>>, <<1, 2>>)
ASSUME IsStrictPrefix(<<1>>, <<1, 2>>) /\ ~IsStrictPrefix(<<1>>, <<1>>)
ASSUME IsSuffix(<<2>>, <<1, 2>>) /\ ~IsStrictSuffix(<<2>>, <<2>>)
ASSUME Prefixes(<<1, 2>>) = {<<>>, <<1>>, <<1, 2>>}
ASSUME Suffixes(<<1, 2>>) = {<<>>, <<2>>, <<1, 2>>}
ASSUME CommonPrefixes({<<1, 2, 3>>, <<1, 2, 4>>}) = {<<>>, <<1>>, <<1, 2>>}
ASSUME LongestCommonPrefix({<<1, 2, 3>>, <<1, 2, 4>>}) = <<1, 2>>
ASSUME SeqMod(3, 3) = 3 /\ SeqMod(4, 3) = 1
ASSUME FoldSeq(+, 0, <<1, 2, 3>>) = 6
ASSUME FoldLeft(LAMBDA acc, e : <<acc, e>>, 0, <<1, 2>>) = <<<<0, 1>>, 2>>
ASSUME FoldRight(LAMBDA e, acc : <<e, acc>>, <<1, 2>>, 0) = <<1, <<2, 0>>>>
ASSUME FoldLeft(-, 10, <<1, 2>>) = 7 /\ FoldRight(-, <<10, 1>>, 2) = 11
ASSUME FoldLeftDomain(LAMBDA acc, i : Append(acc, i), <<>>, <<"a", "b">>) = <<1, 2>>
ASSUME FoldRightDomain(LAMBDA i, acc : Append(acc, i), <<"a", "b">>, <<>>) = <<2, 1>>
ASSUME FlattenSeq(<<<<1, 2>>, <<>>, <<3>>>>) = <<1, 2, 3>> /\ FlattenSeq(<<>>) = <<>>
ASSUME FlattenSeq(<<"a", "b">>) = "ab"
ASSUME Zip(<<1, 2>>, <<"a", "b">>) = <<<<1, "a">>, <<2, "b">>>>
ASSUME Interleave(<<1>>, <<2>>) = <<<<1>>, <<2>>>>
ASSUME SubSeqs(<<1, 2>>) = {<<>>, <<1>>, <<2>>, <<1, 2>>}
ASSUME AllSubSeqs(<<1, 2, 3>>) = {<<>>, <<1>>, <<2>>, <<3>>, <<1, 2>>, <<1, 3>>, <<2, 3>>, <<1, 2, 3>>}
ASSUME IndexFirstSubSeq(<<2>>, <<1, 2, 2>>) = 2
ASSUME ReplaceFirstSubSeq(<<9>>, <<2>>, <<1, 2, 2>>) = <<1, 9, 2>>
ASSUME ReplaceAllSubSeqs(<<9>>, <<2>>, <<1, 2, 2>>) = <<1, 9, 9>>
ASSUME IsSorted(<<1, 2, 2>>, <=) /\ ~IsSorted(<<2, 1>>, <=)

Init == s = <<1, 2, 3>>
Rotate == s' = Append(Tail(s), Head(s))
Drop == Len(s) > 1 /\ s' = Front(s)
Turn == s' = Reverse(s)
Next == Rotate \/ Drop \/ Turn
Inside == s # <<>> /\ ToSet(s) \subseteq 1..3
=============================================================================
