---------------------------- MODULE NestedModules ---------------------------
(* Modules inside a module: they see what stands before them, and their      *)
(* definitions are used through INSTANCE.                                    *)
EXTENDS Naturals

CONSTANT Max
VARIABLE level

Half == Max \div 2

    ------------------------- MODULE Tank -------------------------
    CONSTANT Rate
    Fill == level + Rate <= Max /\ level' = level + Rate
    Drain == level >= Rate /\ level' = level - Rate
    Threshold == Half + Rate

        --------------------- MODULE Gauge ---------------------
        VARIABLE shown
        Reads == shown = level
        Top == Threshold
        =========================================================
    ===============================================================

Slow == INSTANCE Tank WITH Rate <- 1
Fast(r) == INSTANCE Tank WITH Rate <- r

ASSUME Slow!Threshold = 3 /\ Fast(2)!Threshold = 4

Init == level = Half
Next == Slow!Fill \/ Slow!Drain \/ Fast(3)!Fill \/ Fast(3)!Drain
InTank == level \in 0..Max
=============================================================================
