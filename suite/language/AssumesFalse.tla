----------------------------- MODULE AssumesFalse ---------------------------
(* To be instantiated: its assumption is false and is not checked.           *)
EXTENDS Naturals
CONSTANT size
ASSUME size = 1000000
half == size \div 2
=============================================================================
