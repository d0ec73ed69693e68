------------------------------ MODULE _Possible -----------------------------
(* Counts how often formulas are TRUE while states are explored: what      *)
(* _POSSIBLE of a configuration stands for. Each worker counts for itself, *)
(* in a register.                                                          *)
LOCAL INSTANCE Naturals
LOCAL INSTANCE Sequences
LOCAL INSTANCE TLC
LOCAL INSTANCE TLCExt

LOCAL Register == "s:_possible"

(* Equals TRUE. Evaluating it counts that expr, which is called name, is     *)
(* TRUE, or notes that it was looked at.                                     *)
_Track(expr, name) ==
  LET before == TLCGetOrDefault(Register, <<>>)
      count  == IF name \in DOMAIN before THEN before[name] ELSE 0
  IN  TLCSet(Register, (name :> (IF expr THEN count + 1 ELSE count)) @@ before)

(* How often each formula was TRUE, over all workers: a function on names.   *)
_Counts ==
  LET registers == TLCGet("all:named")
      workers   == IF Register \in DOMAIN registers THEN registers[Register] ELSE <<>>
      Of(i, n)  == IF n \in DOMAIN workers[i] THEN workers[i][n] ELSE 0
      Sum(n)    == LET to[i \in 0 .. Len(workers)] == IF i = 0 THEN 0 ELSE to[i - 1] + Of(i, n)
                   IN  to[Len(workers)]
  IN  [n \in UNION {DOMAIN workers[i] : i \in 1 .. Len(workers)} |-> Sum(n)]

(* Whether the formula called name was ever TRUE. If not, all counts are     *)
(* printed.                                                                  *)
_CheckName(name) ==
  LET counts == _Counts
  IN  \/ name \in DOMAIN counts /\ counts[name] > 0
      \/ PrintT(counts) /\ FALSE

(* Equals TRUE. Evaluating it prints all counts. *)
_PrintCounts == PrintT(_Counts)
=============================================================================
