-------------------------------- MODULE Folds -------------------------------
(* The general fold over a finite set, from which the folds of               *)
(* FiniteSetsExt, Functions and SequencesExt derive.                         *)

(* Combines the images f(x) of all x in the finite set S by op, starting     *)
(* from base. Of the elements not used yet, choose picks the next one:       *)
(*    op(f(x1), op(f(x2), ... op(f(xn), base)))                              *)
(* where x1 is picked first. Give an associative and commutative op if the   *)
(* pick is not determined.                                                   *)
MapThenFoldSet(op(_, _), base, f(_), choose(_), S) ==
  LET fold[T \in SUBSET S] ==
        IF T # {}
        THEN LET next == choose(T) IN op(f(next), fold[T \ {next}])
        ELSE base
  IN  fold[S]
=============================================================================
