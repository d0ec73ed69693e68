---------------------------- MODULE ExceptPaths -----------------------------
(* EXCEPT: one place, several places in order, nested places, @ for what was *)
(* there. The domain never changes. Nothing is written in the original.      *)
EXTENDS Naturals, Sequences

VARIABLES store

F == [x \in 1..3 |-> x]
R == [name |-> "n", pos |-> <<10, 20>>, sub |-> [deep |-> 1, more |-> <<1, 2>>]]

ASSUME [F EXCEPT ![2] = 9] = <<1, 9, 3>>
ASSUME F = <<1, 2, 3>>
ASSUME [F EXCEPT ![2] = @ + 10] = <<1, 12, 3>>
ASSUME [F EXCEPT ![1] = 7, ![3] = 8] = <<7, 2, 8>>

\* From left to right: the second clause sees what the first has written.
ASSUME [F EXCEPT ![1] = 5, ![1] = @ * 2] = <<10, 2, 3>>
ASSUME [F EXCEPT ![1] = 5, ![2] = F[1]] = <<5, 1, 3>>

ASSUME [R EXCEPT !.name = "m"].name = "m"
ASSUME [R EXCEPT !.pos[2] = @ + 1].pos = <<10, 21>>
ASSUME [R EXCEPT !["pos"][1] = 0].pos = <<0, 20>>
ASSUME [R EXCEPT !.sub.deep = @ + 1, !.sub.more[2] = @ * 5].sub = [deep |-> 2, more |-> <<1, 10>>]
ASSUME [R EXCEPT !.sub.more = Append(@, 3)].sub.more = <<1, 2, 3>>
ASSUME DOMAIN [R EXCEPT !.name = 5] = DOMAIN R

\* @ belongs to the innermost EXCEPT around it.
ASSUME [F EXCEPT ![1] = [<<5, 6>> EXCEPT ![2] = @ + 1][2] + @] = <<8, 2, 3>>

\* Several arguments are one tuple.
G == [x, y \in 1..2 |-> 0]
ASSUME [G EXCEPT ![1, 2] = 5][1, 2] = 5
ASSUME [G EXCEPT ![<<1, 2>>] = 5] = [G EXCEPT ![1, 2] = 5]
ASSUME [[x \in 1..2 |-> G] EXCEPT ![2][1, 1] = 8][2][1, 1] = 8

\* A sequence stays a sequence, a record a record.
ASSUME Len([<<1, 2>> EXCEPT ![1] = 3]) = 2
ASSUME [[a |-> 1] EXCEPT !.a = 2] = [a |-> 2]
ASSUME [[x \in {"a"} |-> 1] EXCEPT !.a = 2] = [a |-> 2]
ASSUME [[s \in SUBSET {1} |-> 0] EXCEPT ![{}] = 1][{}] = 1

Init == store = [k \in {"x", "y"} |-> [val |-> 0, log |-> <<>>]]
Write(k) ==
    /\ Len(store[k].log) < 2
    /\ store' = [store EXCEPT ![k].log = Append(@, store[k].val), ![k].val = @ + 1]
Copy == store' = [store EXCEPT !["x"].val = store["y"].val]
Next == Copy \/ \E k \in {"x", "y"} : Write(k)
Shape == \A k \in {"x", "y"} : DOMAIN store[k] = {"val", "log"} /\ store[k].val \in 0..4
=============================================================================
