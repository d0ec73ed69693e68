----------------------------- MODULE StringOps ------------------------------
(* Strings are sequences a little: length, concatenation, tail and part.     *)
(* They are equal by their characters; STRING can be asked, not listed.      *)
EXTENDS Naturals, Sequences, TLC

VARIABLE word

ASSUME Len("") = 0 /\ Len("four") = 4
ASSUME "ab" \o "cd" = "abcd"
ASSUME "" \o "x" = "x"
ASSUME Tail("tail") = "ail"
ASSUME SubSeq("middle", 2, 4) = "idd"
ASSUME "a" # "b" /\ "a" = "a" /\ "a" # "A" /\ "" # " "
ASSUME "x" \in STRING /\ "" \in STRING
ASSUME [s \in {"k1", "k2"} |-> Len(s)].k2 = 2
ASSUME "tab\tquote\"backslash\\" # "tab"
ASSUME Len("a\tb") = 3 /\ Len("q\"q") = 3 /\ Len("\\") = 1
ASSUME PrintT("plain") /\ PrintT("with \"quotes\"") /\ PrintT(<<"in", "tuple">>)
ASSUME ToString("s") = "\"s\""
ASSUME ToString(12) = "12"
ASSUME "n" \o ToString(7) = "n7"
ASSUME {"one", "two"} \subseteq STRING

Init == word = ""
Grow == Len(word) < 3 /\ \E c \in {"x", "y"} : word' = word \o c
Shrink == word # "" /\ word' = Tail(word)
Next == Grow \/ Shrink
Short == Len(word) \in 0..3 /\ word \in STRING
=============================================================================
