--------------------------- MODULE TlcExtOperators --------------------------
(* TLCExt: equations that explain themselves, registers with a default, a    *)
(* model value from a string, the behaviour so far as a value.               *)
EXTENDS Naturals, Sequences, TLC, TLCExt

VARIABLES n, m

ASSUME AssertEq(1 + 1, 2)
\* Prints both sides, and is FALSE.
ASSUME ~AssertEq(<<1>>, <<2>>)
ASSUME TLCNoOp(5) = 5
ASSUME TLCGetOrDefault(7, "nothing") = "nothing"
ASSUME TLCSet(7, 3) /\ TLCGetOrDefault(7, "nothing") = 3
\* The old value comes back; the new one is stored.
ASSUME TLCGetAndSet(8, +, 5, 10) = 10
ASSUME TLCGet(8) = 15
ASSUME TLCGetAndSet(8, +, 1, 10) = 15
ASSUME TLCCache(1 + 2, {}) = 3
\* Nothing fails here, so there is no message to compare.
ASSUME ~AssertError("some message", 1 = 1)

Blue == TLCModelValue("M_blue")
ASSUME Blue = Blue
ASSUME ToString(Blue) = "M_blue"

Init == n = 0 /\ m = "start"
Next == n < 3 /\ n' = n + 1 /\ m' = ToString(n')
\* From the initial state to this one; each state is a record.
TraceFits ==
    /\ Len(Trace) = TLCGet("level")
    /\ Trace[1] = [n |-> 0, m |-> "start"]
    /\ Trace[Len(Trace)] = [n |-> n, m |-> m]
    /\ \A i \in 1..Len(Trace) : Trace[i].n = i - 1
=============================================================================
