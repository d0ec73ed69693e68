--------------------------------- MODULE TLC --------------------------------
(* Operators that reach into the model checker: printing, assertions,        *)
(* registers and random choice, together with a few everyday functions such  *)
(* as :> and @@. Several have effects, so how often they run depends on how  *)
(* often the checker evaluates the expression around them.                   *)
LOCAL INSTANCE Naturals
LOCAL INSTANCE Sequences
LOCAL INSTANCE FiniteSets

(* Equals val. Evaluating it prints out and val. *)
Print(out, val) == val

(* Equals TRUE. Evaluating it prints out. *)
PrintT(out) == TRUE

(* Equals TRUE if val is TRUE. Otherwise evaluation stops with an error      *)
(* whose message is out.                                                     *)
Assert(val, out) == IF val = TRUE THEN TRUE ELSE CHOOSE v \in {} : FALSE

(* The current time in seconds since 1970, folded into 31 bits. *)
JavaTime == NATIVE

(* The content of register i, or the fact named by the string i, such as     *)
(* "level", "distinct", "queue", "diameter", "duration", "stats" or          *)
(* "config". An error if the register was never set.                         *)
TLCGet(i) == NATIVE

(* Equals TRUE. Evaluating it stores v in register i. Every worker has its   *)
(* own registers; a store made before they start is seen by all.             *)
TLCSet(i, v) == NATIVE

(* The function with domain {d} that maps d to e. *)
d :> e == [x \in {d} |-> e]

(* f extended by g: where both are defined, f wins. *)
f @@ g ==
  [x \in DOMAIN f \cup DOMAIN g |-> IF x \in DOMAIN f THEN f[x] ELSE g[x]]

(* All permutations of the finite set S, as functions from S to S.           *)
Permutations(S) == {p \in [S -> S] : {p[x] : x \in S} = S}

(* s sorted so that Op ("comes before") is respected. Elements that Op does  *)
(* not separate keep their order.                                            *)
SortSeq(s, Op(_, _)) ==
  LET Insert(t, x) ==
        LET slot[i \in 0..Len(t)] ==
              IF i = 0 THEN 0 ELSE IF Op(x, t[i]) THEN slot[i - 1] ELSE i
            k == slot[Len(t)]
        IN  [i \in 1..(Len(t) + 1) |->
               IF i \leq k THEN t[i] ELSE IF i = k + 1 THEN x ELSE t[i - 1]]
      sorted[n \in 0..Len(s)] ==
        IF n = 0 THEN <<>> ELSE Insert(sorted[n - 1], s[n])
  IN  sorted[Len(s)]

(* An element of s picked at random, each with the same probability. An      *)
(* error if s is empty or cannot be enumerated.                              *)
RandomElement(s) == NATIVE

(* A set of which every value counts as a member. It cannot be enumerated.   *)
Any == NATIVE

(* The text that the checker prints for v. Strings inside keep their quotes. *)
ToString(v) == NATIVE

(* Equals v, evaluated completely and at once instead of lazily. An error if *)
(* v cannot be enumerated.                                                   *)
TLCEval(v) == v
=============================================================================
