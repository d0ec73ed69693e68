---------------------------- MODULE SubSeqEdges -----------------------------
(* SubSeq at its edges: from past to gives nothing, whatever the numbers;    *)
(* otherwise both ends must lie within the sequence. The invariant cuts every *)
(* window down to nothing and never goes past an end.                        *)
EXTENDS Integers, Sequences

VARIABLE window

S == <<10, 20, 30, 40>>

ASSUME SubSeq(S, 2, 3) = <<20, 30>>
ASSUME SubSeq(S, 1, 4) = S
ASSUME SubSeq(S, 3, 3) = <<30>>
ASSUME SubSeq(S, 3, 2) = <<>>
ASSUME SubSeq(S, 5, 4) = <<>>
ASSUME SubSeq(S, 100, 0) = <<>>
ASSUME SubSeq(S, 0, -1) = <<>>
ASSUME SubSeq(<<>>, 1, 0) = <<>>
ASSUME SubSeq("abcd", 2, 3) = "bc"
ASSUME SubSeq("abcd", 3, 2) = ""

Init == window = <<1, 4>>
Cut(from, to) == SubSeq(S, from, to)
Next == \E d \in {<<1, 0>>, <<0, 1>>} :
            /\ window[1] <= window[2]
            /\ window' = <<window[1] + d[1], window[2] - d[2]>>
Fits == Len(Cut(window[1], window[2])) = window[2] - window[1] + 1
=============================================================================
