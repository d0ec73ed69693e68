------------------------ MODULE SequencesExtTheorems ------------------------
(* Facts about the operators of module SequencesExt. Statements only: cite   *)
(* them in proofs.                                                           *)
EXTENDS Sequences, SequencesExt, Functions, Integers, WellFoundedInduction

(* SeqOf in terms of Seq. *)
THEOREM SeqOfSeq ==
  ASSUME NEW S, NEW n \in Int
  PROVE  {s \in Seq(S) : Len(s) <= n} = SeqOf(S, n)

-----------------------------------------------------------------------------
(* Cons *)

(* Type, length and elements of the result. *)
THEOREM ConsProperties ==
  ASSUME NEW S, NEW e \in S, NEW seq \in Seq(S)
  PROVE  LET new == Cons(e, seq)
         IN  /\ new \in Seq(S) /\ new # <<>>
             /\ Len(new) = Len(seq) + 1
             /\ Head(new) = e /\ Tail(new) = seq
             /\ new[1] = e
             /\ \A k \in 1..Len(seq) : seq[k] = new[k + 1]
             /\ \A k \in 2..(Len(seq) + 1) : seq[k - 1] = new[k]

(* Cons with the empty sequence. *)
THEOREM ConsEmpty == \A e : <<e>> = Cons(e, <<>>)

(* A sequence put together again. *)
THEOREM ConsHeadTail ==
  ASSUME NEW S, NEW seq \in Seq(S), seq # <<>>
  PROVE  seq = Cons(Head(seq), Tail(seq))

(* Cons and Append can be exchanged. *)
THEOREM ConsAppend ==
  ASSUME NEW S, NEW a \in S, NEW z \in S, NEW seq \in Seq(S)
  PROVE  Append(Cons(a, seq), z) = Cons(a, Append(seq, z))

(* Cons and concatenation can be exchanged. *)
THEOREM ConsConcat ==
  ASSUME NEW S, NEW e \in S, NEW s \in Seq(S), NEW t \in Seq(S)
  PROVE  Cons(e, s \o t) = Cons(e, s) \o t

(* The operands are determined by the result. *)
THEOREM ConsInjective ==
  ASSUME NEW S, NEW s \in Seq(S), NEW t \in Seq(S), NEW e \in S, NEW f \in S
  PROVE  (e = f /\ s = t) <=> Cons(e, s) = Cons(f, t)

(* Induction over sequences that grow at the front. *)
THEOREM SequencesInductionCons ==
  ASSUME NEW S, NEW P(_), P(<<>>),
         \A s \in Seq(S) : P(s) => \A e \in S : P(Cons(e, s))
  PROVE  \A s \in Seq(S) : P(s)

-----------------------------------------------------------------------------
(* Contains *)

(* Contains in terms of Range. *)
THEOREM ContainsRange ==
  ASSUME NEW S, NEW s \in Seq(S), NEW e
  PROVE  e \in Range(s) <=> Contains(s, e)

(* The empty sequence contains nothing. *)
THEOREM ContainsEmpty == \A e : ~ Contains(<<>>, e)

(* After an Append. *)
THEOREM ContainsAppend ==
  ASSUME NEW S, NEW s \in Seq(S), NEW last, NEW e
  PROVE  Contains(Append(s, last), e) <=> e = last \/ Contains(s, e)

(* For a single element. *)
THEOREM ContainsSingleton == \A x, e : Contains(<<x>>, e) <=> e = x

(* For a concatenation. *)
THEOREM ContainsConcat ==
  ASSUME NEW S, NEW s \in Seq(S), NEW T, NEW t \in Seq(T), NEW e
  PROVE  Contains(s, e) \/ Contains(t, e) <=> Contains(s \o t, e)

(* After a Cons. *)
THEOREM ContainsCons ==
  ASSUME NEW S, NEW s \in Seq(S), NEW first, NEW e
  PROVE  Contains(Cons(first, s), e) <=> Contains(s, e) \/ e = first

(* What the rest of a sequence contains, the sequence does. *)
THEOREM ContainsTail ==
  ASSUME NEW S, NEW s \in Seq(S), s # <<>>, NEW e, Contains(Tail(s), e)
  PROVE  Contains(s, e)

(* The converse, except for the first element. *)
THEOREM ContainsTailExceptHead ==
  ASSUME NEW S, NEW s \in Seq(S), s # <<>>, NEW e, e # Head(s),
         Contains(s, e)
  PROVE  Contains(Tail(s), e)

-----------------------------------------------------------------------------
(* IsSorted *)

(* The empty sequence is sorted. *)
THEOREM SortedEmpty ==
  ASSUME NEW op(_, _)
  PROVE  IsSorted(<<>>, op)

(* So is a single element. *)
THEOREM SortedSingleton ==
  ASSUME NEW op(_, _), NEW S, NEW x \in S
  PROVE  IsSorted(<<x>>, op)

(* Appending an element, for a transitive relation. *)
THEOREM SortedAppend ==
  ASSUME NEW op(_, _), NEW S,
         \A x, y, z \in S : op(x, y) => (op(y, z) => op(x, z)),
         NEW s \in Seq(S), IsSorted(s, op),
         NEW e \in S, s = <<>> \/ op(s[Len(s)], e)
  PROVE  IsSorted(Append(s, e), op)

(* Concatenation, for a transitive relation. *)
THEOREM SortedConcat ==
  ASSUME NEW op(_, _), NEW S,
         \A x, y, z \in S : op(x, y) => (op(y, z) => op(x, z)),
         NEW s \in Seq(S), IsSorted(s, op),
         NEW t \in Seq(S), IsSorted(t, op),
         s = <<>> \/ t = <<>> \/ op(s[Len(s)], t[1])
  PROVE  IsSorted(s \o t, op)

(* Sorted by an irreflexive relation, a sequence does not repeat. *)
THEOREM SortedInjective ==
  ASSUME NEW op(_, _), NEW S, \A x \in S : ~ op(x, x),
         NEW s \in Seq(S), IsSorted(s, op)
  PROVE  IsInjective(s)

(* Parts of a sorted sequence are sorted. *)
THEOREM SortedSubSeq ==
  ASSUME NEW op(_, _), NEW S, NEW s \in Seq(S), IsSorted(s, op),
         NEW m \in 1..(Len(s) + 1), NEW n \in 0..Len(s)
  PROVE  IsSorted(SubSeq(s, m, n), op)

-----------------------------------------------------------------------------
(* InsertAt, RemoveAt, Front and Last *)

(* Type, length and elements after an insertion. *)
THEOREM InsertAtProperties ==
  ASSUME NEW S, NEW seq \in Seq(S), NEW k \in 1..(Len(seq) + 1), NEW e \in S
  PROVE  LET new == InsertAt(seq, k, e)
         IN  /\ new \in Seq(S)
             /\ Len(new) = Len(seq) + 1
             /\ \A i \in 1..(Len(seq) + 1) :
                  new[i] = CASE i < k -> seq[i]
                             [] i = k -> e
                             [] i > k -> seq[i - 1]

(* Type, length and elements after a removal. *)
THEOREM RemoveAtProperties ==
  ASSUME NEW S, NEW seq \in Seq(S), NEW k \in 1..Len(seq)
  PROVE  LET new == RemoveAt(seq, k)
         IN  /\ new \in Seq(S)
             /\ Len(new) = Len(seq) - 1
             /\ \A i \in 1..(Len(seq) - 1) :
                  new[i] = IF i >= k THEN seq[i + 1] ELSE seq[i]

(* Type, length and elements of the front. *)
THEOREM FrontProperties ==
  ASSUME NEW S, NEW seq \in Seq(S)
  PROVE  /\ Front(seq) \in Seq(S)
         /\ Len(Front(seq)) = IF seq # <<>> THEN Len(seq) - 1 ELSE 0
         /\ \A k \in 1..(Len(seq) - 1) : seq[k] = Front(seq)[k]

(* The front of the empty sequence. *)
THEOREM FrontOfEmpty == <<>> = Front(<<>>)

(* A sequence put together again. *)
THEOREM LastProperties ==
  ASSUME NEW S, NEW seq \in Seq(S), seq # <<>>
  PROVE  Last(seq) \in S /\ seq = Append(Front(seq), Last(seq))

(* Front and last element of a part. *)
THEOREM FrontLastOfSubSeq ==
  ASSUME NEW S, NEW seq \in Seq(S),
         NEW m \in 1..Len(seq), NEW n \in m..Len(seq)
  PROVE  /\ seq[n] = Last(SubSeq(seq, m, n))
         /\ SubSeq(seq, m, n - 1) = Front(SubSeq(seq, m, n))

(* Front and last element after an Append. *)
THEOREM FrontLastAppend ==
  ASSUME NEW S, NEW seq \in Seq(S), NEW e \in S
  PROVE  Last(Append(seq, e)) = e /\ Front(Append(seq, e)) = seq

(* The front of a sequence that does not repeat. *)
LEMMA FrontInjectiveSeq ==
  ASSUME NEW S, NEW seq \in Seq(S), seq # <<>>, IsInjective(seq)
  PROVE  /\ Range(seq) \ {Last(seq)} = Range(Front(seq))
         /\ IsInjective(Front(seq))

(* Induction over sequences taken apart from the end. *)
THEOREM SequencesInductionFront ==
  ASSUME NEW S, NEW P(_), P(<<>>),
         \A s \in Seq(S) \ {<<>>} : P(Front(s)) => P(s)
  PROVE  \A s \in Seq(S) : P(s)

-----------------------------------------------------------------------------
(* Reverse *)

(* Type and length; reversing twice. *)
THEOREM ReverseProperties ==
  ASSUME NEW S, NEW seq \in Seq(S)
  PROVE  /\ seq = Reverse(Reverse(seq))
         /\ Len(Reverse(seq)) = Len(seq)
         /\ Reverse(seq) \in Seq(S)

(* The empty sequence. *)
THEOREM ReverseEmpty == <<>> = Reverse(<<>>)

(* The operand is determined by the result. *)
THEOREM ReverseEqual ==
  ASSUME NEW S, NEW s \in Seq(S), NEW t \in Seq(S), Reverse(t) = Reverse(s)
  PROVE  s = t

THEOREM ReverseEmptyIffEmpty ==
  ASSUME NEW S, NEW seq \in Seq(S), <<>> = Reverse(seq)
  PROVE  seq = <<>>

(* Reversing a concatenation. *)
THEOREM ReverseConcat ==
  ASSUME NEW S, NEW s \in Seq(S), NEW t \in Seq(S)
  PROVE  Reverse(t) \o Reverse(s) = Reverse(s \o t)

(* Append turns into Cons, and the other way round. *)
THEOREM ReverseAppend ==
  ASSUME NEW S, NEW seq \in Seq(S), NEW e \in S
  PROVE  Cons(e, Reverse(seq)) = Reverse(Append(seq, e))

THEOREM ReverseCons ==
  ASSUME NEW S, NEW seq \in Seq(S), NEW e \in S
  PROVE  Append(Reverse(seq), e) = Reverse(Cons(e, seq))

(* A single element. *)
THEOREM ReverseSingleton == \A e : <<e>> = Reverse(<<e>>)

(* Reversing a part. *)
THEOREM ReverseSubSeq ==
  ASSUME NEW S, NEW seq \in Seq(S),
         NEW m \in 1..Len(seq), NEW n \in 0..Len(seq)
  PROVE  LET k == Len(seq) + 1
         IN  SubSeq(Reverse(seq), k - n, k - m) = Reverse(SubSeq(seq, m, n))

(* A palindrome twice is a palindrome. *)
THEOREM ReversePalindrome ==
  ASSUME NEW S, NEW seq \in Seq(S), seq = Reverse(seq)
  PROVE  seq \o seq = Reverse(seq \o seq)

(* Last and Front turn into Head and Tail. *)
THEOREM LastEqualsHeadReverse ==
  ASSUME NEW S, NEW seq \in Seq(S), seq # <<>>
  PROVE  Head(Reverse(seq)) = Last(seq)

THEOREM ReverseFrontEqualsTailReverse ==
  ASSUME NEW S, NEW seq \in Seq(S), seq # <<>>
  PROVE  Tail(Reverse(seq)) = Reverse(Front(seq))

(* Reversing keeps positions and elements. *)
THEOREM RangeReverse ==
  ASSUME NEW S, NEW seq \in Seq(S)
  PROVE  /\ Range(seq) = Range(Reverse(seq))
         /\ DOMAIN seq = DOMAIN Reverse(seq)

-----------------------------------------------------------------------------
(* Prefixes *)

(* Other ways to say that s is a prefix of t. *)
THEOREM IsPrefixProperties ==
  ASSUME NEW S, NEW s \in Seq(S), NEW t \in Seq(S)
  PROVE  /\ IsPrefix(s, t) <=> \E u \in Seq(S) : s \o u = t
         /\ IsPrefix(s, t) <=> /\ Len(s) <= Len(t)
                               /\ SubSeq(t, 1, Len(s)) = s
         /\ IsPrefix(s, t) <=> /\ Len(s) <= Len(t)
                               /\ Restrict(t, DOMAIN s) = s

(* Other ways to say that s is a strict prefix of t. *)
THEOREM IsStrictPrefixProperties ==
  ASSUME NEW S, NEW s \in Seq(S), NEW t \in Seq(S)
  PROVE  /\ IsStrictPrefix(s, t) <=> \E u \in Seq(S) \ {<<>>} : s \o u = t
         /\ IsStrictPrefix(s, t) <=> /\ Len(s) < Len(t)
                                     /\ SubSeq(t, 1, Len(s)) = s
         /\ IsStrictPrefix(s, t) <=> /\ Len(s) < Len(t)
                                     /\ Restrict(t, DOMAIN s) = s
         /\ IsStrictPrefix(s, t) <=> Len(s) < Len(t) /\ IsPrefix(s, t)

(* A prefix has the same elements. *)
THEOREM IsPrefixElts ==
  ASSUME NEW S, NEW s \in Seq(S), NEW t \in Seq(S), IsPrefix(s, t),
         NEW k \in 1..Len(s)
  PROVE  t[k] = s[k]

(* The empty sequence as prefix, and its prefixes. *)
THEOREM EmptyIsPrefix ==
  ASSUME NEW S, NEW s \in Seq(S)
  PROVE  /\ IsPrefix(<<>>, s)
         /\ s = <<>> <=> IsPrefix(s, <<>>)
         /\ s # <<>> <=> IsStrictPrefix(<<>>, s)
         /\ ~ IsStrictPrefix(s, <<>>)

(* The first operand of a concatenation is a prefix. *)
THEOREM IsPrefixConcat ==
  ASSUME NEW S, NEW s \in Seq(S), NEW t \in Seq(S)
  PROVE  IsPrefix(s, s \o t)

(* So is what Append extends. *)
THEOREM IsStrictPrefixAppend ==
  ASSUME NEW S, NEW s \in Seq(S), NEW e \in S
  PROVE  IsStrictPrefix(s, Append(s, e))

(* And the front. *)
THEOREM FrontIsPrefix ==
  ASSUME NEW S, NEW s \in Seq(S)
  PROVE  /\ s = <<>> \/ IsStrictPrefix(Front(s), s)
         /\ IsPrefix(Front(s), s)

(* Prefixes form a partial order. *)
THEOREM IsPrefixPartialOrder ==
  ASSUME NEW S
  PROVE  /\ \A r \in Seq(S) : IsPrefix(r, r)
         /\ \A r, s \in Seq(S) : IsPrefix(r, s) => (IsPrefix(s, r) => r = s)
         /\ \A r, s, t \in Seq(S) :
              IsPrefix(r, s) => (IsPrefix(s, t) => IsPrefix(r, t))

(* The first operand of a prefix is a prefix. *)
THEOREM ConcatIsPrefix ==
  ASSUME NEW S, NEW r \in Seq(S), NEW s \in Seq(S),
         NEW t \in Seq(S), IsPrefix(r \o s, t)
  PROVE  IsPrefix(r, t)

(* A common beginning can be dropped, whether a sequence or an element. *)
THEOREM ConcatIsPrefixCancel ==
  ASSUME NEW S, NEW s \in Seq(S), NEW t \in Seq(S), NEW u \in Seq(S)
  PROVE  IsPrefix(t, u) <=> IsPrefix(s \o t, s \o u)

THEOREM ConsIsPrefixCancel ==
  ASSUME NEW S, NEW s \in Seq(S), NEW t \in Seq(S), NEW e \in S
  PROVE  IsPrefix(s, t) <=> IsPrefix(Cons(e, s), Cons(e, t))

(* A prefix that starts with e. *)
THEOREM ConsIsPrefix ==
  ASSUME NEW S, NEW s \in Seq(S), NEW e \in S,
         NEW u \in Seq(S), IsPrefix(Cons(e, s), u)
  PROVE  Head(u) = e /\ IsPrefix(s, Tail(u))

(* Strict prefixes form a strict partial order. *)
THEOREM IsStrictPrefixStrictPartialOrder ==
  ASSUME NEW S
  PROVE  /\ ~ \E r \in Seq(S) : IsStrictPrefix(r, r)
         /\ ~ \E r, s \in Seq(S) : IsStrictPrefix(r, s) /\ IsStrictPrefix(s, r)
         /\ \A r, s, t \in Seq(S) :
              IsStrictPrefix(r, s) => (IsStrictPrefix(s, t)
                                         => IsStrictPrefix(r, t))

(* It is well-founded, which justifies induction. *)
THEOREM IsStrictPrefixWellFounded ==
  \A S : IsWellFoundedOn(OpToRel(IsStrictPrefix, Seq(S)), Seq(S))

THEOREM SeqStrictPrefixInduction ==
  ASSUME NEW S, NEW P(_),
         \A s \in Seq(S) :
           (\A r \in Seq(S) : IsStrictPrefix(r, s) => P(r)) => P(s)
  PROVE  \A s \in Seq(S) : P(s)

-----------------------------------------------------------------------------
(* Suffixes *)

(* Other ways to say that s is a suffix of t. *)
THEOREM IsSuffixProperties ==
  ASSUME NEW S, NEW s \in Seq(S), NEW t \in Seq(S)
  PROVE  /\ IsSuffix(s, t) <=> \E u \in Seq(S) : u \o s = t
         /\ IsSuffix(s, t) <=>
              /\ Len(s) <= Len(t)
              /\ SubSeq(t, (Len(t) - Len(s)) + 1, Len(t)) = s

(* Other ways to say that s is a strict suffix of t. *)
THEOREM IsStrictSuffixProperties ==
  ASSUME NEW S, NEW s \in Seq(S), NEW t \in Seq(S)
  PROVE  /\ IsStrictSuffix(s, t) <=> \E u \in Seq(S) \ {<<>>} : u \o s = t
         /\ IsStrictSuffix(s, t) <=> IsSuffix(s, t) /\ Len(s) < Len(t)
         /\ IsStrictSuffix(s, t) <=>
              /\ Len(s) < Len(t)
              /\ SubSeq(t, (Len(t) - Len(s)) + 1, Len(t)) = s
         /\ IsStrictSuffix(s, t) <=> IsStrictPrefix(Reverse(s), Reverse(t))

(* A suffix has the same elements, further to the front. *)
THEOREM IsSuffixElts ==
  ASSUME NEW S, NEW s \in Seq(S), NEW t \in Seq(S), IsSuffix(s, t),
         NEW k \in 1..Len(s)
  PROVE  t[k + (Len(t) - Len(s))] = s[k]

(* The empty sequence as suffix, and its suffixes. *)
THEOREM EmptyIsSuffix ==
  ASSUME NEW S, NEW s \in Seq(S)
  PROVE  /\ IsSuffix(<<>>, s)
         /\ s = <<>> <=> IsSuffix(s, <<>>)
         /\ s # <<>> <=> IsStrictSuffix(<<>>, s)
         /\ ~ IsStrictSuffix(s, <<>>)

(* The second operand of a concatenation is a suffix. *)
THEOREM IsSuffixConcat ==
  ASSUME NEW S, NEW s \in Seq(S), NEW t \in Seq(S)
  PROVE  IsSuffix(s, t \o s)

(* So is what Cons extends. *)
THEOREM IsStrictSuffixCons ==
  ASSUME NEW S, NEW e \in S, NEW s \in Seq(S)
  PROVE  IsStrictSuffix(s, Cons(e, s))

(* And the tail. *)
THEOREM TailIsSuffix ==
  ASSUME NEW S, NEW s \in Seq(S) \ {<<>>}
  PROVE  IsStrictSuffix(Tail(s), s)

(* Suffixes form a partial order. *)
THEOREM IsSuffixPartialOrder ==
  ASSUME NEW S
  PROVE  /\ \A r \in Seq(S) : IsSuffix(r, r)
         /\ \A r, s \in Seq(S) : IsSuffix(r, s) => (IsSuffix(s, r) => r = s)
         /\ \A r, s, t \in Seq(S) :
              IsSuffix(r, s) => (IsSuffix(s, t) => IsSuffix(r, t))

(* The second operand of a suffix is a suffix. *)
THEOREM ConcatIsSuffix ==
  ASSUME NEW S, NEW r \in Seq(S), NEW s \in Seq(S),
         NEW t \in Seq(S), IsSuffix(r \o s, t)
  PROVE  IsSuffix(s, t)

(* A common end can be dropped, whether a sequence or an element. *)
THEOREM ConcatIsSuffixCancel ==
  ASSUME NEW S, NEW s \in Seq(S), NEW t \in Seq(S), NEW u \in Seq(S)
  PROVE  IsSuffix(s, u) <=> IsSuffix(s \o t, u \o t)

THEOREM AppendIsSuffixCancel ==
  ASSUME NEW S, NEW s \in Seq(S), NEW t \in Seq(S), NEW e \in S
  PROVE  IsSuffix(s, t) <=> IsSuffix(Append(s, e), Append(t, e))

(* A suffix that ends with e. *)
THEOREM AppendIsSuffix ==
  ASSUME NEW S, NEW s \in Seq(S), NEW e \in S,
         NEW u \in Seq(S), IsSuffix(Append(s, e), u)
  PROVE  Last(u) = e /\ IsSuffix(s, Front(u))

(* Strict suffixes form a strict partial order. *)
THEOREM IsStrictSuffixStrictPartialOrder ==
  ASSUME NEW S
  PROVE  /\ ~ \E r \in Seq(S) : IsStrictSuffix(r, r)
         /\ ~ \E r, s \in Seq(S) : IsStrictSuffix(r, s) /\ IsStrictSuffix(s, r)
         /\ \A r, s, t \in Seq(S) :
              IsStrictSuffix(r, s) => (IsStrictSuffix(s, t)
                                         => IsStrictSuffix(r, t))

(* It is well-founded, which justifies induction. *)
THEOREM IsStrictSuffixWellFounded ==
  \A S : IsWellFoundedOn(OpToRel(IsStrictSuffix, Seq(S)), Seq(S))

THEOREM SeqStrictSuffixInduction ==
  ASSUME NEW S, NEW P(_),
         \A s \in Seq(S) :
           (\A r \in Seq(S) : IsStrictSuffix(r, s) => P(r)) => P(s)
  PROVE  \A s \in Seq(S) : P(s)

-----------------------------------------------------------------------------
(* Recursion along prefixes and suffixes. For the operators on definitions   *)
(* see module WellFoundedInduction.                                          *)

(* Def(f, s) depends on the values of f at strict prefixes of s only. *)
StrictPrefixesDetermineDef(S, Def(_, _)) ==
  \A g, h : \A s \in Seq(S) :
    (\A r \in Seq(S) : IsStrictPrefix(r, s) => g[r] = h[r])
      => Def(g, s) = Def(h, s)

LEMMA StrictPrefixesDetermineDef_WFDefOn ==
  ASSUME NEW Def(_, _), NEW S, StrictPrefixesDetermineDef(S, Def)
  PROVE  WFDefOn(OpToRel(IsStrictPrefix, Seq(S)), Seq(S), Def)

(* Such a definition has one solution, which satisfies it and has the type   *)
(* of its steps.                                                             *)
THEOREM PrefixRecursiveSequenceFunctionUnique ==
  ASSUME NEW Def(_, _), NEW S, StrictPrefixesDetermineDef(S, Def)
  PROVE  WFInductiveUnique(Seq(S), Def)

THEOREM PrefixRecursiveSequenceFunctionDef ==
  ASSUME NEW Def(_, _), NEW S, StrictPrefixesDetermineDef(S, Def),
         NEW f, OpDefinesFcn(f, Seq(S), Def)
  PROVE  WFInductiveDefines(f, Seq(S), Def)

THEOREM PrefixRecursiveSequenceFunctionType ==
  ASSUME NEW Def(_, _), NEW S, StrictPrefixesDetermineDef(S, Def),
         NEW f, WFInductiveDefines(f, Seq(S), Def),
         NEW T, T # {},
         \A s \in Seq(S) : \A g \in [Seq(S) -> T] : Def(g, s) \in T
  PROVE  f \in [Seq(S) -> T]

(* Def(f, s) depends on the values of f at strict suffixes of s only. *)
StrictSuffixesDetermineDef(S, Def(_, _)) ==
  \A g, h : \A s \in Seq(S) :
    (\A r \in Seq(S) : IsStrictSuffix(r, s) => g[r] = h[r])
      => Def(g, s) = Def(h, s)

LEMMA StrictSuffixesDetermineDef_WFDefOn ==
  ASSUME NEW Def(_, _), NEW S, StrictSuffixesDetermineDef(S, Def)
  PROVE  WFDefOn(OpToRel(IsStrictSuffix, Seq(S)), Seq(S), Def)

(* Such a definition has one solution, which satisfies it and has the type   *)
(* of its steps.                                                             *)
THEOREM SuffixRecursiveSequenceFunctionUnique ==
  ASSUME NEW Def(_, _), NEW S, StrictSuffixesDetermineDef(S, Def)
  PROVE  WFInductiveUnique(Seq(S), Def)

THEOREM SuffixRecursiveSequenceFunctionDef ==
  ASSUME NEW Def(_, _), NEW S, StrictSuffixesDetermineDef(S, Def),
         NEW f, OpDefinesFcn(f, Seq(S), Def)
  PROVE  WFInductiveDefines(f, Seq(S), Def)

THEOREM SuffixRecursiveSequenceFunctionType ==
  ASSUME NEW Def(_, _), NEW S, StrictSuffixesDetermineDef(S, Def),
         NEW f, WFInductiveDefines(f, Seq(S), Def),
         NEW T, T # {},
         \A s \in Seq(S) : \A g \in [Seq(S) -> T] : Def(g, s) \in T
  PROVE  f \in [Seq(S) -> T]

(* f is defined on sequences by recursion over Tail: f0 for the empty        *)
(* sequence, and Def of the value at the tail and the sequence elsewhere.    *)
TailInductiveDefHypothesis(f, S, f0, Def(_, _)) ==
  f = CHOOSE g :
        g = [s \in Seq(S) |-> IF s # <<>> THEN Def(g[Tail(s)], s) ELSE f0]

(* f satisfies the equation of such a definition. *)
TailInductiveDefConclusion(f, S, f0, Def(_, _)) ==
  f = [s \in Seq(S) |-> IF s # <<>> THEN Def(f[Tail(s)], s) ELSE f0]

(* Such definitions are satisfied, and have the type of their steps. *)
THEOREM TailInductiveDef ==
  ASSUME NEW Def(_, _), NEW S, NEW f0, NEW f,
         TailInductiveDefHypothesis(f, S, f0, Def)
  PROVE  TailInductiveDefConclusion(f, S, f0, Def)

THEOREM TailInductiveDefType ==
  ASSUME NEW Def(_, _), NEW S, NEW T, NEW f0 \in T, NEW f,
         TailInductiveDefConclusion(f, S, f0, Def),
         \A v \in T : \A s \in Seq(S) \ {<<>>} : Def(v, s) \in T
  PROVE  f \in [Seq(S) -> T]

(* f is defined on sequences by recursion over Front. *)
FrontInductiveDefHypothesis(f, S, f0, Def(_, _)) ==
  f = CHOOSE g :
        g = [s \in Seq(S) |-> IF s # <<>> THEN Def(g[Front(s)], s) ELSE f0]

(* f satisfies the equation of such a definition. *)
FrontInductiveDefConclusion(f, S, f0, Def(_, _)) ==
  f = [s \in Seq(S) |-> IF s # <<>> THEN Def(f[Front(s)], s) ELSE f0]

(* Such definitions are satisfied, and have the type of their steps. *)
THEOREM FrontInductiveDef ==
  ASSUME NEW Def(_, _), NEW S, NEW f0, NEW f,
         FrontInductiveDefHypothesis(f, S, f0, Def)
  PROVE  FrontInductiveDefConclusion(f, S, f0, Def)

THEOREM FrontInductiveDefType ==
  ASSUME NEW Def(_, _), NEW S, NEW T, NEW f0 \in T, NEW f,
         FrontInductiveDefConclusion(f, S, f0, Def),
         \A v \in T : \A s \in Seq(S) \ {<<>>} : Def(v, s) \in T
  PROVE  f \in [Seq(S) -> T]

-----------------------------------------------------------------------------
(* FoldLeft *)

(* FoldLeft by recursion, and its two cases. *)
THEOREM FoldLeftRecursion ==
  ASSUME NEW op(_, _), NEW base, NEW S, NEW s \in Seq(S)
  PROVE  FoldLeft(op, base, s) =
         IF s # <<>> THEN op(FoldLeft(op, base, Front(s)), Last(s)) ELSE base

THEOREM FoldLeftEmpty ==
  ASSUME NEW op(_, _), NEW base
  PROVE  base = FoldLeft(op, base, <<>>)

THEOREM FoldLeftNonempty ==
  ASSUME NEW op(_, _), NEW base, NEW S, NEW s \in Seq(S), s # <<>>
  PROVE  op(FoldLeft(op, base, Front(s)), Last(s)) = FoldLeft(op, base, s)

(* After an Append. *)
THEOREM FoldLeftAppend ==
  ASSUME NEW op(_, _), NEW base, NEW S, NEW s \in Seq(S), NEW e \in S
  PROVE  op(FoldLeft(op, base, s), e) = FoldLeft(op, base, Append(s, e))

(* The type of the result. *)
THEOREM FoldLeftType ==
  ASSUME NEW Typ, NEW op(_, _), \A x, y \in Typ : op(x, y) \in Typ,
         NEW base \in Typ, NEW s \in Seq(Typ)
  PROVE  FoldLeft(op, base, s) \in Typ

(* For a concatenation, if op is associative and base neutral on the right.  *)
THEOREM FoldLeftConcat ==
  ASSUME NEW Typ, NEW op(_, _), \A x, y \in Typ : op(x, y) \in Typ,
         \A x, y, z \in Typ : op(op(x, y), z) = op(x, op(y, z)),
         NEW base \in Typ, \A x \in Typ : op(x, base) = x,
         NEW s \in Seq(Typ), NEW t \in Seq(Typ)
  PROVE  op(FoldLeft(op, base, s), FoldLeft(op, base, t)) =
         FoldLeft(op, base, s \o t)

-----------------------------------------------------------------------------
(* FoldRight *)

(* FoldRight by recursion, and its two cases. *)
THEOREM FoldRightRecursion ==
  ASSUME NEW op(_, _), NEW base, NEW S, NEW s \in Seq(S)
  PROVE  FoldRight(op, s, base) =
         IF s # <<>> THEN op(Head(s), FoldRight(op, Tail(s), base)) ELSE base

THEOREM FoldRightEmpty ==
  ASSUME NEW op(_, _), NEW base
  PROVE  base = FoldRight(op, <<>>, base)

THEOREM FoldRightNonempty ==
  ASSUME NEW op(_, _), NEW base, NEW S, NEW s \in Seq(S), s # <<>>
  PROVE  op(Head(s), FoldRight(op, Tail(s), base)) = FoldRight(op, s, base)

(* After a Cons. *)
THEOREM FoldRightCons ==
  ASSUME NEW op(_, _), NEW base, NEW S, NEW s \in Seq(S), NEW e \in S
  PROVE  op(e, FoldRight(op, s, base)) = FoldRight(op, Cons(e, s), base)

(* The type of the result. *)
THEOREM FoldRightType ==
  ASSUME NEW Typ, NEW op(_, _), \A x, y \in Typ : op(x, y) \in Typ,
         NEW base \in Typ, NEW s \in Seq(Typ)
  PROVE  FoldRight(op, s, base) \in Typ

(* For a concatenation, if op is associative and base neutral on the left.   *)
THEOREM FoldRightConcat ==
  ASSUME NEW Typ, NEW op(_, _), \A x, y \in Typ : op(x, y) \in Typ,
         \A x, y, z \in Typ : op(op(x, y), z) = op(x, op(y, z)),
         NEW base \in Typ, \A x \in Typ : op(base, x) = x,
         NEW s \in Seq(Typ), NEW t \in Seq(Typ)
  PROVE  op(FoldRight(op, s, base), FoldRight(op, t, base)) =
         FoldRight(op, s \o t, base)

(* The folds over positions in terms of MapThenFoldSet. *)
THEOREM FoldLeftDomainIsMFS ==
  ASSUME NEW op(_, _), NEW base, NEW S, NEW s \in Seq(S)
  PROVE  MapThenFoldSet(LAMBDA k, acc : op(acc, k), base, LAMBDA k : k, Max,
                        1..Len(s))
           = FoldLeftDomain(op, base, s)

THEOREM FoldRightDomainIsMFS ==
  ASSUME NEW op(_, _), NEW base, NEW S, NEW s \in Seq(S)
  PROVE  MapThenFoldSet(op, base, LAMBDA k : k, Min, 1..Len(s))
           = FoldRightDomain(op, s, base)
=============================================================================
