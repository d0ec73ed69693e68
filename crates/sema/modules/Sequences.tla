----------------------------- MODULE Sequences ------------------------------
(* Finite sequences. A sequence of length n is a function with domain 1..n,  *)
(* which is the same thing as an n-tuple: <<a, b, c>> is a sequence of       *)
(* length 3. Len, \o and SubSeq also work on strings.                        *)
LOCAL INSTANCE Naturals

(* All finite sequences whose elements are in S. Infinite unless S is empty. *)
Seq(S) == UNION {[1..n -> S] : n \in Nat}

(* The number of elements of s. An error if s is not a sequence or string.   *)
Len(s) == CHOOSE n \in Nat : DOMAIN s = 1..n

(* s followed by t. *)
s \o t ==
  LET n == Len(s)
  IN  [i \in 1..(n + Len(t)) |-> IF i > n THEN t[i - n] ELSE s[i]]

(* s with the element e added at its end. *)
Append(s, e) == s \o <<e>>

(* The first element of s. An error if s is empty. *)
Head(s) == s[1]

(* s without its first element. An error if s is empty. *)
Tail(s) == CASE Len(s) > 0 -> [i \in 1..(Len(s) - 1) |-> s[1 + i]]

(* The elements of s at positions m, m+1, ..., n. Empty when m > n; otherwise *)
(* both positions must lie within s.                                         *)
SubSeq(s, m, n) == [i \in 1..((n - m) + 1) |-> s[(m - 1) + i]]

(* The elements of s for which Test is TRUE, in their original order.        *)
SelectSeq(s, Test(_)) ==
  LET from[i \in 1..(Len(s) + 1)] ==
        IF i > Len(s)
        THEN <<>>
        ELSE (IF Test(s[i]) THEN <<s[i]>> ELSE <<>>) \o from[i + 1]
  IN  from[1]
=============================================================================
