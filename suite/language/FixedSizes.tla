----------------------------- MODULE FixedSizes -----------------------------
(* For ReplacedSymbols: a module without anything to substitute.             *)
EXTENDS Naturals

Fixed == 6
FixedTwice == Fixed + Fixed
=============================================================================
