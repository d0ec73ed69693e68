---------------------------- MODULE VectorClocks ----------------------------
(* Sorting the log of a distributed system by the vector clocks of its       *)
(* entries. A clock is a function from nodes to naturals; a node that is     *)
(* missing from it counts as 0.                                              *)
EXTENDS Naturals, Sequences, Functions

(* The component of clock c for node n. *)
LOCAL At(c, n) == IF n \in DOMAIN c THEN c[n] ELSE 0

(* TRUE iff no component of clock c is greater than that of clock d. *)
LOCAL NotAfter(c, d) == \A n \in DOMAIN c : c[n] \leq At(d, n)

(* TRUE iff no entry of log comes after one that happened later, where       *)
(* clock(entry) is the vector clock of an entry. Also FALSE if two entries   *)
(* have the same clock.                                                      *)
IsCausalOrder(log, clock(_)) ==
  \A i \in 1..Len(log) :
    \A j \in 1..(i - 1) : ~ NotAfter(clock(log[i]), clock(log[j]))

(* The entries of log in an order that respects causality. For an entry,     *)
(* clock gives its vector clock and node the node that logged it; domain     *)
(* gives the nodes of a clock. No event may be missing from the log.         *)
CausalOrder(log, clock(_), node(_), domain(_)) ==
  LET First(I) ==
        CHOOSE i \in I :
          \A j \in I \ {i} :
            \/ ~ NotAfter(clock(log[j]), clock(log[i]))
            \/ NotAfter(clock(log[i]), clock(log[j]))
      sorted[I \in SUBSET (1..Len(log))] ==
        IF I = {}
        THEN <<>>
        ELSE LET i == First(I) IN <<log[i]>> \o sorted[I \ {i}]
  IN  sorted[1..Len(log)]

(* The names of these two in earlier releases. *)
IsCausallyOrdered(log, clock(_)) == IsCausalOrder(log, clock)

SortCausally(log, clock(_), node(_), domain(_)) ==
  CausalOrder(log, clock, node, domain)
=============================================================================
