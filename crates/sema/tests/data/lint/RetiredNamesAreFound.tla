---- MODULE RetiredNamesAreFound ----
EXTENDS Integers, FiniteSetsExt, SequencesExt
ASSUME Sum({1, 2}) = 3 /\ Product({2, 3}) = 6
ASSUME ReduceSeq(LAMBDA a, b : a + b, <<1, 2>>, 0) = 3
====
