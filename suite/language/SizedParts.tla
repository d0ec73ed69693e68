----------------------------- MODULE SizedParts -----------------------------
(* For ReplacedSymbols: definitions that use each other, and a constant.     *)
EXTENDS Naturals, FixedSizes

CONSTANT unit

Size == unit + 1
Double == Size + Size
Plain == 4
PlainTwice == Plain + Plain
Grown(n) == Size + n
GrownTwice(n) == Grown(Grown(n))
=============================================================================
