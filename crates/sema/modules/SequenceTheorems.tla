-------------------------- MODULE SequenceTheorems --------------------------
(* Facts about the operators of module Sequences. Statements only: cite them *)
(* in proofs.                                                                *)
EXTENDS Sequences, Functions

-----------------------------------------------------------------------------
(* Sequences in general *)

(* The definition of Seq. *)
LEMMA SeqDef == \A S : Seq(S) = UNION {[1..k -> S] : k \in Nat}

(* Seq respects inclusion. *)
THEOREM SeqMonotonic ==
  ASSUME NEW S, NEW T, S \subseteq T, NEW seq \in Seq(S)
  PROVE  seq \in Seq(T)

(* The elements of a sequence over S are in S. *)
THEOREM ElementOfSeq ==
  ASSUME NEW S, NEW seq \in Seq(S), NEW k \in 1..Len(seq)
  PROVE  seq[k] \in S

(* The empty sequence, and what the others are not. *)
THEOREM EmptySeq ==
  ASSUME NEW S
  PROVE  /\ <<>> \in Seq(S)
         /\ Len(<<>>) = 0
         /\ \A seq \in Seq(S) \ {<<>>} : Len(seq) \in Nat \ {0}

(* A sequence is a function on 1..Len(seq). *)
THEOREM LenProperties ==
  ASSUME NEW S, NEW seq \in Seq(S)
  PROVE  /\ DOMAIN seq = 1..Len(seq)
         /\ Len(seq) \in Nat
         /\ seq \in [1..Len(seq) -> S]

(* A function on 1..k with values in S is a sequence over S. *)
THEOREM IsASeq ==
  ASSUME NEW S, NEW e(_), NEW k \in Nat, \A i \in 1..k : e(i) \in S
  PROVE  [i \in 1..k |-> e(i)] \in Seq(S)

(* Changing one element. *)
THEOREM ExceptSeq ==
  ASSUME NEW S, NEW seq \in Seq(S), NEW k \in 1..Len(seq), NEW e \in S
  PROVE  LET new == [seq EXCEPT ![k] = e]
         IN  /\ new \in Seq(S)
             /\ Len(new) = Len(seq)
             /\ \A i \in 1..Len(seq) : new[i] = IF i = k THEN e ELSE seq[i]

(* Sequences of the same length with the same elements are equal. *)
THEOREM SeqEqual ==
  ASSUME NEW S, NEW s \in Seq(S), NEW t \in Seq(S),
         Len(s) = Len(t), \A k \in 1..Len(t) : s[k] = t[k]
  PROVE  s = t

-----------------------------------------------------------------------------
(* Concatenation *)

(* Type, length and elements of a concatenation. *)
THEOREM ConcatProperties ==
  ASSUME NEW S, NEW s \in Seq(S), NEW t \in Seq(S)
  PROVE  /\ s \o t \in Seq(S)
         /\ Len(s \o t) = Len(s) + Len(t)
         /\ \A i \in 1..(Len(s) + Len(t)) :
              (s \o t)[i] = IF i > Len(s) THEN t[i - Len(s)] ELSE s[i]

(* The empty sequence is neutral. *)
THEOREM ConcatEmptySeq ==
  ASSUME NEW S, NEW seq \in Seq(S)
  PROVE  <<>> \o seq = seq /\ seq \o <<>> = seq

(* Only the empty sequence leaves the other operand unchanged. *)
THEOREM ConcatEqualIffEmpty ==
  ASSUME NEW S, NEW s \in Seq(S), NEW t \in Seq(S)
  PROVE  /\ t = <<>> <=> s \o t = s
         /\ s = <<>> <=> s \o t = t
         /\ (s = <<>> /\ t = <<>>) <=> s \o t = <<>>

(* Concatenation is associative. *)
THEOREM ConcatAssociative ==
  ASSUME NEW S, NEW r \in Seq(S), NEW s \in Seq(S), NEW t \in Seq(S)
  PROVE  r \o (s \o t) = (r \o s) \o t

(* Rules for solving equations, each with a label of its own. *)
THEOREM ConcatSimplifications ==
  /\ idRight      :: \A S : \A s, t \in Seq(S) : s \o t = s => t = <<>>
  /\ idLeft       :: \A S : \A s, t \in Seq(S) : s \o t = t => s = <<>>
  /\ concIsEmpty  :: \A S : \A s, t \in Seq(S) :
                       s \o t = <<>> => s = <<>> /\ t = <<>>
  /\ cancelLeft   :: \A S : \A s, t, u \in Seq(S) : s \o t = s \o u => t = u
  /\ cancelRight  :: \A S : \A s, t, u \in Seq(S) : s \o u = t \o u => s = t

-----------------------------------------------------------------------------
(* SubSeq, Head and Tail *)

(* Type, length and elements of a part. *)
THEOREM SubSeqProperties ==
  ASSUME NEW S, NEW s, NEW m \in Int, NEW n \in Int,
         \A i \in m..n : s[i] \in S
  PROVE  /\ SubSeq(s, m, n) \in Seq(S)
         /\ Len(SubSeq(s, m, n)) = IF m > n THEN 0 ELSE (n - m) + 1
         /\ \A k \in 1..((n - m) + 1) : SubSeq(s, m, n)[k] = s[(m + k) - 1]

(* A part that ends before it starts is empty. *)
THEOREM SubSeqEmpty ==
  ASSUME NEW s, NEW m \in Int, NEW n \in Int, m > n
  PROVE  <<>> = SubSeq(s, m, n)

(* The elements of a part are elements of the whole. *)
THEOREM SubSeqRange ==
  ASSUME NEW S, NEW s \in Seq(S), NEW m \in 1..Len(s), NEW n \in 1..Len(s)
  PROVE  Range(SubSeq(s, m, n)) \subseteq Range(s)

(* First element and rest of a sequence. *)
THEOREM HeadTailProperties ==
  ASSUME NEW S, NEW s \in Seq(S), s # <<>>
  PROVE  /\ Head(s) \in S /\ Tail(s) \in Seq(S)
         /\ Head(s) \in Range(s) /\ Range(Tail(s)) \subseteq Range(s)
         /\ Len(Tail(s)) = Len(s) - 1
         /\ \A k \in 1..Len(Tail(s)) : s[k + 1] = Tail(s)[k]

(* Tail as a part. *)
THEOREM TailIsSubSeq ==
  ASSUME NEW S, NEW s \in Seq(S), s # <<>>
  PROVE  SubSeq(s, 2, Len(s)) = Tail(s)

(* The first elements as a restriction of the function. *)
THEOREM SubSeqRestrict ==
  ASSUME NEW S, NEW seq \in Seq(S), NEW k \in 0..Len(seq)
  PROVE  Restrict(seq, 1..k) = SubSeq(seq, 1, k)

(* First element and rest of a part. *)
THEOREM HeadTailOfSubSeq ==
  ASSUME NEW S, NEW seq \in Seq(S),
         NEW m \in 1..Len(seq), NEW n \in m..Len(seq)
  PROVE  /\ seq[m] = Head(SubSeq(seq, m, n))
         /\ SubSeq(seq, m + 1, n) = Tail(SubSeq(seq, m, n))

(* A part unfolded from either end. *)
THEOREM SubSeqRecursive ==
  ASSUME NEW S, NEW seq \in Seq(S),
         NEW m \in 1..Len(seq), NEW n \in m..Len(seq)
  PROVE  /\ SubSeq(seq, m, n - 1) \o <<seq[n]>> = SubSeq(seq, m, n)
         /\ <<seq[m]>> \o SubSeq(seq, m + 1, n) = SubSeq(seq, m, n)

(* A part of a part. *)
THEOREM SubSeqOfSubSeq ==
  ASSUME NEW S, NEW s \in Seq(S), NEW i \in 1..Len(s), NEW j \in 1..Len(s),
         NEW m \in 1..((j - i) + 1), NEW n \in 1..((j - i) + 1)
  PROVE  SubSeq(SubSeq(s, i, j), m, n) = SubSeq(s, (i + m) - 1, (i + n) - 1)

(* Parts that touch make up a longer part. *)
THEOREM ConcatAdjacentSubSeq ==
  ASSUME NEW S, NEW seq \in Seq(S), NEW m \in 1..(Len(seq) + 1),
         NEW k \in (m - 1)..Len(seq), NEW n \in k..Len(seq)
  PROVE  SubSeq(seq, m, n) = SubSeq(seq, m, k) \o SubSeq(seq, k + 1, n)

(* A part of the first operand of a concatenation. *)
THEOREM SubSeqOfConcat1 ==
  ASSUME NEW S, NEW s \in Seq(S), NEW t \in Seq(S),
         NEW m \in 1..Len(s), NEW n \in 1..Len(s)
  PROVE  SubSeq(s, m, n) = SubSeq(s \o t, m, n)

(* A part of the second operand of a concatenation. *)
THEOREM SubSeqOfConcat2 ==
  ASSUME NEW S, NEW s \in Seq(S), NEW t \in Seq(S),
         NEW m \in (Len(s) + 1)..(Len(s) + Len(t)),
         NEW n \in (Len(s) + 1)..(Len(s) + Len(t))
  PROVE  SubSeq(t, m - Len(s), n - Len(s)) = SubSeq(s \o t, m, n)

-----------------------------------------------------------------------------
(* Append *)

(* Type, length and elements of the result. *)
THEOREM AppendProperties ==
  ASSUME NEW S, NEW seq \in Seq(S), NEW elt \in S
  PROVE  LET new == Append(seq, elt)
         IN  /\ new \in Seq(S) /\ new # <<>>
             /\ Len(new) = Len(seq) + 1
             /\ \A k \in 1..Len(seq) : new[k] = seq[k]
             /\ new[Len(seq) + 1] = elt
             /\ Range(new) = {elt} \cup Range(seq)

(* Append as a concatenation. *)
THEOREM AppendIsConcat ==
  ASSUME NEW S, NEW seq \in Seq(S), NEW elt \in S
  PROVE  seq \o <<elt>> = Append(seq, elt)

(* First element and rest of the result. *)
THEOREM HeadTailAppend ==
  ASSUME NEW S, NEW seq \in Seq(S), NEW elt
  PROVE  IF seq = <<>>
         THEN /\ Head(Append(seq, elt)) = elt
              /\ Tail(Append(seq, elt)) = <<>>
         ELSE /\ Head(Append(seq, elt)) = Head(seq)
              /\ Tail(Append(seq, elt)) = Append(Tail(seq), elt)

(* The operands are determined by the result. *)
THEOREM AppendInjective ==
  ASSUME NEW S, NEW s \in Seq(S), NEW t \in Seq(S), NEW e \in S, NEW f \in S
  PROVE  (s = t /\ e = f) <=> Append(s, e) = Append(t, f)

(* Every sequence but the empty one is the result of an Append. *)
THEOREM SequenceEmptyOrAppend ==
  ASSUME NEW S, NEW seq \in Seq(S), seq # <<>>
  PROVE  \E elt \in S : \E s \in Seq(S) : Append(s, elt) = seq

-----------------------------------------------------------------------------
(* Induction *)

(* Induction over sequences that grow at the end. *)
THEOREM SequencesInductionAppend ==
  ASSUME NEW S, NEW P(_), P(<<>>),
         \A s \in Seq(S) : P(s) => \A e \in S : P(Append(s, e))
  PROVE  \A s \in Seq(S) : P(s)

(* Induction over sequences taken apart from the front. *)
THEOREM SequencesInductionTail ==
  ASSUME NEW S, NEW P(_), P(<<>>),
         \A s \in Seq(S) \ {<<>>} : P(Tail(s)) => P(s)
  PROVE  \A s \in Seq(S) : P(s)

-----------------------------------------------------------------------------
(* Range, and sequences without repetition *)

(* The elements of a sequence over S are in S. *)
THEOREM RangeOfSeq ==
  ASSUME NEW S, NEW seq \in Seq(S)
  PROVE  Range(seq) \in SUBSET S

(* The range in terms of positions. *)
THEOREM RangeEquality ==
  ASSUME NEW S, NEW seq \in Seq(S)
  PROVE  {seq[k] : k \in 1..Len(seq)} = Range(seq)

(* A sequence is a sequence over its range. *)
THEOREM SeqOfRange ==
  ASSUME NEW S, NEW seq \in Seq(S)
  PROVE  seq \in Seq(Range(seq))

(* Range of a concatenation. *)
THEOREM RangeConcatenation ==
  ASSUME NEW S, NEW s \in Seq(S), NEW t \in Seq(S)
  PROVE  Range(s) \cup Range(t) = Range(s \o t)

(* Sequences with at most one element do not repeat. *)
LEMMA EmptySingletonIsInjective ==
  IsInjective(<<>>) /\ \A e : IsInjective(<<e>>)

(* When a concatenation does not repeat. *)
LEMMA ConcatInjectiveSeq ==
  ASSUME NEW S, NEW s \in Seq(S), NEW t \in Seq(S)
  PROVE  IsInjective(s \o t) <=> /\ IsInjective(s)
                                 /\ IsInjective(t)
                                 /\ Range(s) \cap Range(t) = {}

(* When the result of an Append does not repeat. *)
LEMMA AppendInjectiveSeq ==
  ASSUME NEW S, NEW seq \in Seq(S), NEW e \in S
  PROVE  IsInjective(Append(seq, e)) <=> e \notin Range(seq) /\ IsInjective(seq)

(* The rest of a sequence that does not repeat. *)
LEMMA TailInjectiveSeq ==
  ASSUME NEW S, NEW seq \in Seq(S), seq # <<>>, IsInjective(seq)
  PROVE  /\ Range(seq) \ {Head(seq)} = Range(Tail(seq))
         /\ IsInjective(Tail(seq))
=============================================================================
