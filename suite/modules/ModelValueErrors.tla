--------------------------- MODULE ModelValueErrors -------------------------
(* Model values of different types are not compared, and neither are a typed  *)
(* one and something else: with the messages that AssertError compares.       *)
EXTENDS TLCExt, TLC

ASSUME AssertError(
  "Attempted to check equality of the differently-typed model values C_red and S_red",
  TLCModelValue("C_red") = TLCModelValue("S_red"))
ASSUME ~AssertError("something else", TLCModelValue("C_red") = TLCModelValue("S_red"))
ASSUME TLCModelValue("C_red") # TLCModelValue("C_blue")
=============================================================================
