------------------------------ MODULE Variants ------------------------------
(* Variants (tagged unions): values that carry a tag, so that records of     *)
(* different shapes can live in the same set. Typed in Apalache, plain       *)
(* functions with a single argument here.                                    *)

(* The value to wrap when only the tag matters. *)
UNIT == "U_OF_UNIT"

(* value wrapped under the tag tagName. *)
Variant(tagName, value) == [tag \in {tagName} |-> value]

(* The values that the variants in S carry under the tag tagName. *)
VariantFilter(tagName, S) ==
  {v[tagName] : v \in {w \in S : DOMAIN w = {tagName}}}

(* The tag of variant. *)
VariantTag(variant) == CHOOSE tag \in DOMAIN variant : TRUE

(* The value of variant if its tag is tagName, and defaultValue otherwise.   *)
VariantGetOrElse(tagName, variant, defaultValue) ==
  IF tagName \in DOMAIN variant THEN variant[tagName] ELSE defaultValue

(* The value of variant, whose tag must be tagName: an error otherwise. *)
VariantGetUnsafe(tagName, variant) == variant[tagName]
=============================================================================
