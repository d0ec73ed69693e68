---------------------------- MODULE ReplacedOnce ----------------------------
(* TLCEval of a constant is evaluated once, however it is reached, if      *)
(* nothing is bound on the way: a constant that is replaced by it is the   *)
(* same at each use.                                                       *)
EXTENDS Integers, TLC

VARIABLES x, y

CONSTANT G
T == TLCEval(RandomElement(1..1000000))
Sum(n) == T + n

Init == x = 1 /\ y = G
Next == x < 4 /\ x' = x + 1 /\ y' = G
Inv == y = G /\ y = T /\ G = T /\ Sum(1) = G + 1
=============================================================================
