---------------------------- MODULE CounterParts ----------------------------
(* A counter, to be instantiated.                                            *)
EXTENDS Naturals

CONSTANT limit
VARIABLES value, steps

limitUsed == limit
Double(n) == 2 * n

Start == value = 0
Up == value < limit /\ value' = value + 1 /\ steps' = steps + 1
AtLimit == value = limit
Small == value <= limit
=============================================================================
