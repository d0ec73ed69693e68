---------------------------- MODULE SequencesExt ----------------------------
(* More operators on finite sequences: conversion to and from sets, search,  *)
(* editing, prefixes and suffixes, folds, and search and replace of          *)
(* subsequences.                                                             *)
EXTENDS Sequences, Naturals, FiniteSets, FiniteSetsExt, Folds, Functions,
        Bags, TLC

-----------------------------------------------------------------------------
(* Conversion *)

(* The set of elements of s. *)
ToSet(s) == {s[i] : i \in DOMAIN s}

(* The bag of elements of s: each with the number of times it occurs. *)
ToBag(s) ==
  [x \in ToSet(s) |-> Cardinality({i \in DOMAIN s : s[i] = x})]

(* seq with elt put in front. *)
Cons(elt, seq) == <<elt>> \o seq

(* seq with elt added at the end: Append with the arguments swapped, as      *)
(* folds need it.                                                            *)
Snoc(elt, seq) == Append(seq, elt)

(* The elements of the finite set S, each once, in some fixed order. *)
SetToSeq(S) ==
  LET Same(x) == x
      Some(T) == CHOOSE x \in T : TRUE
  IN  MapThenFoldSet(Cons, <<>>, Same, Some, S)

(* All sequences that contain each element of S exactly once. *)
SetToSeqs(S) ==
  LET orders[T \in SUBSET S] ==
        IF T = {}
        THEN {<<>>}
        ELSE UNION {{<<x>> \o t : t \in orders[T \ {x}]} : x \in T}
  IN  orders[S]

(* The elements of S, each once, sorted by op ("comes before"). *)
SetToSortSeq(S, op(_, _)) == SortSeq(SetToSeq(S), op)

(* All sequences without repetition whose elements are in S, the empty one   *)
(* included.                                                                 *)
SetToAllKPermutations(S) == UNION {SetToSeqs(T) : T \in SUBSET S}

(* All sequences of length n with elements in set. *)
TupleOf(set, n) == [1..n -> set]

(* All sequences of length at most n with elements in set. *)
SeqOf(set, n) == UNION {TupleOf(set, k) : k \in 0..n}

(* Another name for SeqOf: the bounded counterpart of Seq. *)
BoundedSeq(S, n) == SeqOf(S, n)

-----------------------------------------------------------------------------
(* Search and simple editing *)

(* TRUE iff e is an element of s. *)
Contains(s, e) == \E i \in 1..Len(s) : s[i] = e

(* TRUE iff op holds between every element of s and each one after it.       *)
IsSorted(s, op(_, _)) ==
  \A j \in 1..Len(s) : \A i \in 1..(j - 1) : op(s[i], s[j])

(* s from back to front. *)
Reverse(s) == LET n == Len(s) IN [i \in 1..n |-> s[(n + 1) - i]]

(* s without any occurrence of e. *)
Remove(s, e) == SelectSeq(s, LAMBDA x : x # e)

(* s with every occurrence of old replaced by new. *)
ReplaceAll(s, old, new) ==
  [i \in 1..Len(s) |-> IF s[i] = old THEN new ELSE s[i]]

(* The first position in from..to at which seq has an element that satisfies *)
(* Test; 0 if there is none. Unless from > to, both must lie within seq.     *)
SelectInSubSeq(seq, from, to, Test(_)) ==
  LET scan[i \in from..(to + 1)] ==
        CASE i > to                        -> 0
          [] i \leq to /\   Test(seq[i])   -> i
          [] i \leq to /\ ~ Test(seq[i])   -> scan[i + 1]
  IN  IF from > to THEN 0 ELSE scan[from]

(* The first position at which seq has an element that satisfies Test; 0 if  *)
(* there is none.                                                            *)
SelectInSeq(seq, Test(_)) == SelectInSubSeq(seq, 1, Len(seq), Test)

(* The last position in from..to at which seq has an element that satisfies  *)
(* Test; 0 if there is none. Unless from > to, both must lie within seq.     *)
SelectLastInSubSeq(seq, from, to, Test(_)) ==
  LET scan[i \in (from - 1)..to] ==
        IF i < from THEN 0 ELSE IF Test(seq[i]) THEN i ELSE scan[i - 1]
  IN  IF from > to THEN 0 ELSE scan[to]

(* The last position at which seq has an element that satisfies Test; 0 if   *)
(* there is none.                                                            *)
SelectLastInSeq(seq, Test(_)) == SelectLastInSubSeq(seq, 1, Len(seq), Test)

(* s with e put in at position i; the elements from i on move up by one.     *)
InsertAt(s, i, e) == Append(SubSeq(s, 1, i - 1), e) \o SubSeq(s, i, Len(s))

(* s with the element at position i replaced by e. *)
ReplaceAt(s, i, e) == [s EXCEPT ![i] = e]

(* s without the element at position i, one shorter. *)
RemoveAt(s, i) == SubSeq(s, 1, i - 1) \o SubSeq(s, i + 1, Len(s))

(* s without the first element that satisfies Test; s itself if there is     *)
(* none.                                                                     *)
RemoveFirstMatch(s, Test(_)) ==
  LET i == SelectInSeq(s, Test)
  IN  IF i = 0 THEN s ELSE RemoveAt(s, i)

(* s without the first occurrence of e; s itself if e does not occur. *)
RemoveFirst(s, e) == RemoveFirstMatch(s, LAMBDA x : x = e)

(* s without its last element. Empty if s is empty. *)
Front(s) == SubSeq(s, 1, Len(s) - 1)

(* The last element of s. An error if s is empty. *)
Last(s) == s[Len(s)]

-----------------------------------------------------------------------------
(* Prefixes and suffixes *)

(* TRUE iff t starts with s. *)
IsPrefix(s, t) ==
  Len(s) \leq Len(t) /\ SubSeq(t, 1, Len(s)) = SubSeq(s, 1, Len(s))

(* TRUE iff t starts with s and is longer. *)
IsStrictPrefix(s, t) == IsPrefix(s, t) /\ s # t

(* TRUE iff t ends with s. *)
IsSuffix(s, t) ==
  LET extra == Len(t) - Len(s)
  IN  extra \geq 0 /\ SubSeq(t, extra + 1, Len(t)) = SubSeq(s, 1, Len(s))

(* TRUE iff t ends with s and is longer. *)
IsStrictSuffix(s, t) == IsSuffix(s, t) /\ s # t

(* All prefixes of s, from the empty sequence to s itself. *)
Prefixes(s) == {SubSeq(s, 1, n) : n \in 0..Len(s)}

(* The sequences that are prefixes of every sequence in S. No sequence if S  *)
(* is empty.                                                                 *)
CommonPrefixes(S) ==
  IF S = {}
  THEN {}
  ELSE {p \in Prefixes(CHOOSE s \in S : TRUE) : \A t \in S : IsPrefix(p, t)}

(* The longest sequence with which every sequence in S starts. An error if S *)
(* is empty.                                                                 *)
LongestCommonPrefix(S) ==
  LET shared == CommonPrefixes(S)
      length == Max({Len(p) : p \in shared})
  IN  CHOOSE p \in shared : Len(p) = length

(* All suffixes of s, from s itself to the empty sequence. *)
Suffixes(s) == {SubSeq(s, i, Len(s)) : i \in 1..(Len(s) + 1)}

(* a modulo b as a position in 1..b: like a % b, with b in place of 0.       *)
SeqMod(a, b) == ((a - 1) % b) + 1

-----------------------------------------------------------------------------
(* Folds *)

(* Combines all elements of seq by op, starting from base. The order is not  *)
(* specified, so op should be associative and commutative.                   *)
FoldSeq(op(_, _), base, seq) == FoldFunction(op, base, seq)

(* FoldSeq with its arguments in another order, its name in earlier releases. *)
ReduceSeq(op(_, _), seq, acc) == FoldSeq(op, acc, seq)

(* Folds seq from the left:  op(... op(op(base, seq[1]), seq[2]) ..., seq[n]) *)
FoldLeft(op(_, _), base, seq) ==
  LET upTo[i \in 0..Len(seq)] ==
        IF i = 0 THEN base ELSE op(upTo[i - 1], seq[i])
  IN  upTo[Len(seq)]

(* Folds seq from the right:  op(seq[1], op(seq[2], ... op(seq[n], base)))   *)
FoldRight(op(_, _), seq, base) ==
  LET from[i \in 1..(Len(seq) + 1)] ==
        IF i > Len(seq) THEN base ELSE op(seq[i], from[i + 1])
  IN  from[1]

(* FoldLeft over the positions 1, 2, ... of seq instead of its elements.     *)
FoldLeftDomain(op(_, _), base, seq) ==
  FoldLeft(op, base, [i \in 1..Len(seq) |-> i])

(* FoldRight over the positions 1, 2, ... of seq instead of its elements.    *)
FoldRightDomain(op(_, _), seq, base) ==
  FoldRight(op, [i \in 1..Len(seq) |-> i], base)

-----------------------------------------------------------------------------
(* Sequences of sequences, and subsequences *)

(* The elements of seqs, themselves sequences (or strings), joined together. *)
FlattenSeq(seqs) ==
  LET join[i \in 1..Len(seqs)] ==
        IF i = Len(seqs) THEN seqs[i] ELSE seqs[i] \o join[i + 1]
  IN  IF Len(seqs) = 0 THEN seqs ELSE join[1]

(* The pairs <<s[i], t[i]>>, as many as the shorter of s and t has elements. *)
Zip(s, t) == [i \in 1..Min({Len(s), Len(t)}) |-> <<s[i], t[i]>>]

(* The one-element sequences <<s[1]>>, <<t[1]>>, <<s[2]>>, <<t[2]>>, ... An  *)
(* error if s and t differ in length; <<<<>>, <<>>>> if both are empty.      *)
Interleave(s, t) ==
  CASE Len(s) = Len(t) /\ Len(s) = 0 -> << <<>>, <<>> >>
    [] Len(s) = Len(t) /\ Len(s) # 0 ->
         [i \in 1..(2 * Len(s)) |-> IF i % 2 = 1
                                    THEN <<s[(i + 1) \div 2]>>
                                    ELSE <<t[i \div 2]>>]

(* All contiguous parts of s, the empty sequence included. *)
SubSeqs(s) == {SubSeq(s, i, j) : i \in 1..(Len(s) + 1), j \in 0..Len(s)}

(* All sequences obtained by deleting any number of elements of s, anywhere. *)
AllSubSeqs(s) ==
  LET upTo[i \in 0..Len(s)] ==
        IF i = 0
        THEN {<<>>}
        ELSE LET shorter == upTo[i - 1]
             IN  shorter \cup {Append(p, s[i]) : p \in shorter}
  IN  upTo[Len(s)]

(* The positions of t at which a copy of s starts. *)
LOCAL Occurrences(s, t) ==
  {i \in 1..((Len(t) - Len(s)) + 1) :
      SubSeq(t, i, (i + Len(s)) - 1) = SubSeq(s, 1, Len(s))}

(* The first position of t at which a copy of s starts. An error if there is *)
(* none.                                                                     *)
IndexFirstSubSeq(s, t) == Min(Occurrences(s, t))

(* t with the Len(s) elements from position i on replaced by those of r.     *)
ReplaceSubSeqAt(i, r, s, t) ==
  (SubSeq(t, 1, i - 1) \o r) \o SubSeq(t, i + Len(s), Len(t))

(* t with the first copy of s replaced by r; t itself if s does not occur.   *)
ReplaceFirstSubSeq(r, s, t) ==
  LET starts == Occurrences(s, t)
  IN  IF starts = {} THEN t ELSE ReplaceSubSeqAt(Min(starts), r, s, t)

(* t with every copy of s replaced by r. Of overlapping copies the leftmost  *)
(* is taken. If s is empty, r is put before each element of a non-empty t.   *)
ReplaceAllSubSeqs(r, s, t) ==
  LET starts == Occurrences(s, t)
      from[i \in 1..(Len(t) + 1)] ==
        IF i > Len(t)
        THEN SubSeq(t, 1, 0)
        ELSE IF Len(s) = 0
        THEN (r \o SubSeq(t, i, i)) \o from[i + 1]
        ELSE IF i \in starts
        THEN r \o from[i + Len(s)]
        ELSE SubSeq(t, i, i) \o from[i + 1]
  IN  IF s = t THEN r ELSE IF r = s THEN t ELSE from[1]
=============================================================================
