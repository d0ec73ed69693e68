----------------------------- MODULE LocalSizes -----------------------------
(* For ReplacedSymbols: symbols that are local here.                         *)
LOCAL INSTANCE Naturals
LOCAL INSTANCE FixedSizes

LocalFixed == Fixed
LocalTwice == FixedTwice
=============================================================================
