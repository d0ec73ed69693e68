------------------------------- MODULE Option -------------------------------
(* Values that may be missing, built on Variants: Some(x) holds the value x, *)
(* None holds nothing.                                                       *)
EXTENDS Apalache, Variants

(* The option that holds x. *)
Some(x) == Variant("Some", x)

(* The option that holds nothing. *)
None == Variant("None", UNIT)

(* TRUE iff the option o holds a value. *)
IsSome(o) == VariantTag(o) = "Some"

(* TRUE iff the option o holds nothing. *)
IsNone(o) == VariantTag(o) = "None"

(* caseSome applied to the value that o holds, or caseNone applied to UNIT.  *)
OptionCase(o, caseSome(_), caseNone(_)) ==
  IF IsNone(o) THEN caseNone(UNIT) ELSE caseSome(VariantGetUnsafe("Some", o))

(* o with f applied to the value it holds; None stays None. *)
OptionMap(f(_), o) ==
  OptionCase(o, LAMBDA x : Some(f(x)), LAMBDA unit : None)

(* The option f(x) for the value x that o holds, and None for None. *)
OptionFlatMap(f(_), o) == OptionCase(o, f, LAMBDA unit : None)

(* The value that o holds, or default if it holds nothing. *)
OptionGetOrElse(o, default) ==
  OptionCase(o, LAMBDA x : x, LAMBDA unit : default)

(* The sequence of the values that o holds: one element or none. *)
OptionToSeq(o) == OptionCase(o, LAMBDA x : <<x>>, LAMBDA unit : <<>>)

(* The set of the values that o holds: one element or none. *)
OptionToSet(o) == OptionCase(o, LAMBDA x : {x}, LAMBDA unit : {})

(* Some element of s, or None if s is empty. *)
OptionGuess(s) == IF s = {} THEN None ELSE Some(Guess(s))

(* f applied, as a function, to the value that o holds. *)
OptionFunApp(f, o) == OptionMap(LAMBDA x : f[x], o)

(* The function that maps each element of undef to None, and every other     *)
(* argument x of f to Some(f[x]).                                            *)
OptionPartialFun(f, undef) ==
  [x \in undef \cup DOMAIN f |-> IF x \in undef THEN None ELSE Some(f[x])]
=============================================================================
