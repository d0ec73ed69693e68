------------------------------- MODULE TLAPS --------------------------------
(* Names to cite in proofs for the TLA+ proof system: they select a prover,  *)
(* its time limit or its tactic for an obligation. As formulas they all say  *)
(* nothing (TRUE), so other tools can ignore them. A parameter limit is a    *)
(* time in seconds, a parameter tactic the name of an Isabelle tactic.       *)

(* SMT solvers: the default one, with and without a time limit, and an older *)
(* name for it.                                                              *)
SMT == TRUE
SMTT(limit) == TRUE
SimpleArithmetic == TRUE

(* Particular SMT solvers. The names with CVC3 are older ones for CVC4. *)
Z3 == TRUE
Z3T(limit) == TRUE
CVC4 == TRUE
CVC4T(limit) == TRUE
CVC3 == TRUE
CVC3T(limit) == TRUE
Yices == TRUE
YicesT(limit) == TRUE
veriT == TRUE
veriTT(limit) == TRUE

(* Superposition provers. *)
Zipper == TRUE
ZipperT(limit) == TRUE
Spass == TRUE
SpassT(limit) == TRUE

(* Propositional temporal logic, decided by LS4. *)
PTL == TRUE
LS4 == TRUE
LS4T(limit) == TRUE

(* The tableau prover Zenon. *)
Zenon == TRUE
ZenonT(limit) == TRUE

(* Isabelle, with a time limit, a tactic, or both. *)
Isa == TRUE
IsaT(limit) == TRUE
IsaM(tactic) == TRUE
IsaMT(tactic, limit) == TRUE

(* Isabelle, told to prove that sets are equal by comparing their elements.  *)
IsaWithSetExtensionality == TRUE

(* Two sets are equal if they have the same elements. *)
THEOREM SetExtensionality ==
  \A S, T : S = T <=> \A x : x \in S <=> x \in T
PROOF OMITTED

(* For every set there is something that is not in it. *)
THEOREM NoSetContainsEverything == \A S : ~ \A x : x \in S
PROOF OMITTED

-----------------------------------------------------------------------------

(* Older names for Zenon with longer and longer time limits. *)
SlowZenon == TRUE
SlowerZenon == TRUE
VerySlowZenon == TRUE
SlowestZenon == TRUE

(* Isabelle's automatic search, with longer and longer time limits.         *)
Auto == TRUE
SlowAuto == TRUE
SlowerAuto == TRUE
SlowestAuto == TRUE

(* Isabelle's force tactic, with longer and longer time limits.             *)
Force == TRUE
SlowForce == TRUE
SlowerForce == TRUE
SlowestForce == TRUE

(* Isabelle's simplifier followed by automatic search, with longer and longer *)
(* time limits.                                                              *)
SimplifyAndSolve == TRUE
SlowSimplifyAndSolve == TRUE
SlowerSimplifyAndSolve == TRUE
SlowestSimplifyAndSolve == TRUE

(* Isabelle's simplifier alone, with longer and longer time limits.         *)
Simplification == TRUE
SlowSimplification == TRUE
SlowerSimplification == TRUE
SlowestSimplification == TRUE

(* Isabelle's tableau prover, with longer and longer time limits.           *)
Blast == TRUE
SlowBlast == TRUE
SlowerBlast == TRUE
SlowestBlast == TRUE

(* Isabelle's automatic search, then its tableau prover on what is left. *)
AutoBlast == TRUE

(* Several provers in turn: all of them, all SMT solvers, all Isabelle       *)
(* tactics.                                                                  *)
AllProvers == TRUE
AllProversT(limit) == TRUE
AllSMT == TRUE
AllSMTT(limit) == TRUE
AllIsa == TRUE
AllIsaT(limit) == TRUE

-----------------------------------------------------------------------------

(* How to treat ENABLED and \cdot: expand them, also expand the definitions   *)
(* that requires, replace them by bound variables, or reason by axioms about *)
(* ENABLED and by comparing levels.                                          *)
ExpandENABLED == TRUE
ExpandCdot == TRUE
AutoUSE == TRUE
Lambdify == TRUE
ENABLEDaxioms == TRUE
LevelComparison == TRUE

(* Only the proof system's check for trivial obligations. *)
Trivial == TRUE

(* For internal use by the proof system, in place of ENABLED and \cdot. *)
EnabledWrapper(Op(_)) == FALSE
CdotWrapper(Op(_)) == FALSE
=============================================================================
