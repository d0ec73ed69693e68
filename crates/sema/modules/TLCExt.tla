------------------------------- MODULE TLCExt -------------------------------
(* More operators for testing and steering the model checker: assertions     *)
(* that report, tests of error messages, the current trace, counterexamples, *)
(* and computed model values.                                                *)
LOCAL INSTANCE TLC
LOCAL INSTANCE Integers

(* Equals a = b, and prints both values when they differ. *)
AssertEq(a, b) ==
  IF a = b
  THEN TRUE
  ELSE PrintT("Assertion failed") /\ PrintT(a) /\ PrintT(b) /\ FALSE

(* TRUE iff evaluating exp fails with exactly the message err, which must be *)
(* a string literal.                                                         *)
AssertError(err, exp) == NATIVE

(* Like TLCGet(key), but defaultVal if that register was never set. *)
TLCGetOrDefault(key, defaultVal) == NATIVE

(* The value register key had so far (defaultVal if none); as an effect the  *)
(* register becomes Op(that value, val).                                     *)
TLCGetAndSet(key, Op(_, _), val, defaultVal) ==
  CHOOSE old \in {TLCGetOrDefault(key, defaultVal)} : TLCSet(key, Op(old, val))

(* The states from the initial one to the current one, as a tuple of records *)
(* with one field for each variable. Costly to evaluate in every state.      *)
Trace == NATIVE

(* In a POSTCONDITION: the counterexample as a graph. Field state is a set   *)
(* of pairs <<level, record>>, field action a set of triples of such a pair, *)
(* an action and a pair. Both are empty if no violation was found.           *)
CounterExample == NATIVE

(* The states of a counterexample CE as a tuple of records, by level.        *)
ToTrace(CE) ==
  [k \in {s[1] : s \in CE.state} |-> (CHOOSE s \in CE.state : s[1] = k)[2]]

(* A model value named str. Meant for definitions of constants only.         *)
TLCModelValue(str) == NATIVE

(* Equals TRUE. In simulation, expression is evaluated (for its effects)     *)
(* once the step at hand has been chosen to extend the behavior.             *)
TLCDefer(expression) == TRUE

(* Equals val; a landmark for debugging the evaluator itself. *)
TLCNoOp(val) == val

(* As an action constraint: asks the user whether to take the step, unless   *)
(* exp is TRUE. In any other place it equals TRUE.                           *)
PickSuccessor(exp) ==
  IF exp THEN TRUE ELSE CHOOSE taken \in BOOLEAN : TRUE

(* Equals expression, which is evaluated again only if closure has changed.  *)
TLCCache(expression, closure) == expression

(* The low 32 bits of the fingerprint of var. *)
TLCFP(var) == NATIVE

(* The value of the definition whose name is the string definitionName. An   *)
(* error if there is no such definition.                                     *)
TLCEvalDefinition(definitionName) == NATIVE
=============================================================================
