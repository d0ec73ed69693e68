------------------------------ MODULE Apalache ------------------------------
(* Operators that guide the symbolic model checker Apalache. The definitions *)
(* here are the plain meaning that every other tool can use.                 *)
LOCAL INSTANCE Integers
LOCAL INSTANCE Sequences

(* The same as x = e; marks it as an assignment to the variable x or x'. *)
x := e == x = e

(* Some value of the type wanted, of a size bounded by size. Other tools get *)
(* the empty set.                                                            *)
Gen(size) == {}

(* An element of S. Apalache tries all of them; here, always the same one.   *)
Guess(S) == CHOOSE x \in S : TRUE

(* The function made up of the pairs <<argument, value>> in S. If S has      *)
(* several pairs for an argument, one of them counts.                        *)
SetAsFun(S) ==
  [x \in {pair[1] : pair \in S} |-> (CHOOSE pair \in S : pair[1] = x)[2]]

(* The sequence <<F(1), F(2), ..., F(N)>>. *)
MkSeq(N, F(_)) == [i \in 1..N |-> F(i)]

(* The function fn with domain 1..len as a sequence. capacity bounds its     *)
(* length: fn must be defined on 1..capacity.                                *)
FunAsSeq(fn, len, capacity) ==
  LET At(i) == fn[i] IN SubSeq(MkSeq(capacity, At), 1, len)

(* Equals e; a hint that the quantifier in e can be replaced by a constant.  *)
Skolem(e) == e

(* Equals S; a hint to list the elements of S. *)
Expand(S) == S

(* Equals cardExpr, a comparison such as Cardinality(S) >= 3; a hint to      *)
(* translate it to quantifiers.                                              *)
ConstCardinality(cardExpr) == cardExpr

(* Combines the elements of the finite set S, in an order that is not        *)
(* specified:  Op(... Op(Op(v, x1), x2) ..., xn)                             *)
RECURSIVE ApaFoldSet(_, _, _)
ApaFoldSet(Op(_, _), v, S) ==
  LET x == CHOOSE x \in S : TRUE
  IN  IF S = {} THEN v ELSE ApaFoldSet(Op, Op(v, x), S \ {x})

(* Combines the elements of seq from left to right, starting from v. *)
RECURSIVE ApaFoldSeqLeft(_, _, _)
ApaFoldSeqLeft(Op(_, _), v, seq) ==
  IF Len(seq) = 0
  THEN v
  ELSE ApaFoldSeqLeft(Op, Op(v, Head(seq)), Tail(seq))

(* The result of applying F N times:  F(... F(F(x, 1), 2) ..., N)            *)
RECURSIVE Repeat(_, _, _)
Repeat(F(_, _), N, x) ==
  IF N > 0 THEN F(Repeat(F, N - 1, x), N) ELSE x
=============================================================================
