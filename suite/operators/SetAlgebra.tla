----------------------------- MODULE SetAlgebra -----------------------------
(* Union, intersection, difference, inclusion and membership of finite sets, *)
(* of sets of sets, and of sets that are written twice over.                 *)
EXTENDS Naturals, FiniteSets

CONSTANT Colours

VARIABLES bag, taken

ASSUME {1, 2} \cup {2, 3} = {1, 2, 3}
ASSUME {1, 2} \union {2, 3} = {3, 2, 1}
ASSUME {1, 2} \cap {2, 3} = {2}
ASSUME {1, 2} \intersect {3} = {}
ASSUME {1, 2} \ {2, 3} = {1}
ASSUME {} \ {1} = {} /\ {1} \ {} = {1}
ASSUME {1, 1, 2, 1} = {2, 1}
ASSUME Cardinality({1, 1, 1}) = 1

ASSUME {1} \subseteq {1, 2} /\ {} \subseteq {} /\ ~({1, 3} \subseteq {1, 2})
ASSUME 1 \in {1} /\ 2 \notin {1}
ASSUME {} \in {{}} /\ {} \notin {}
ASSUME {} # {{}}

\* Of sets of sets, only the elements count.
ASSUME {{1, 2}, {2, 1}} = {{1, 2}}
ASSUME Cardinality({{}, {1}, {1, 2} \ {2}}) = 2
ASSUME {{1}, {2}} \cap {{2}, {3}} = {{2}}

\* \cup and \cap side by side go from the left; parentheses where they are mixed.
ASSUME ({1, 2} \cup {3}) \cap {3, 4} = {3}
ASSUME {1, 2} \cup ({3} \cap {3, 4}) = {1, 2, 3}
ASSUME {1} \cup {2} \cup {3} = 1..3

\* Strings, tuples and records as elements.
ASSUME {"red", "blue"} \cup {"red"} = {"blue", "red"}
ASSUME <<1, "x">> \in {<<1, "x">>, <<2, "y">>}
ASSUME {[a |-> 1], [a |-> 2]} \ {[a |-> 1]} = {[a |-> 2]}
\* A model value equals no value of another kind, so they may live in one set.
ASSUME Cardinality(Colours \cup {1}) = Cardinality(Colours) + 1

Init ==
    /\ bag = Colours
    /\ taken = {}
Take == \E c \in bag : bag' = bag \ {c} /\ taken' = taken \cup {c}
PutBack == taken # {} /\ bag' = bag \cup taken /\ taken' = {}
Next == Take \/ PutBack

Conserved == bag \cup taken = Colours /\ bag \cap taken = {}
=============================================================================
