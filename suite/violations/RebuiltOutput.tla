----------------------------- MODULE RebuiltOutput --------------------------
(* What a step prints may be printed again while the trace is put together.  *)
EXTENDS Naturals, TLC

VARIABLE x

Init == x = 0
Next == x' = x + 1 /\ PrintT(<<"step from", x>>)
Low == x < 3
=============================================================================
