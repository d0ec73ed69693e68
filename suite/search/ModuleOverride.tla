---------------------------- MODULE ModuleOverride --------------------------
(* A replacement for one module only: Size means 5 inside of UsesSize, where *)
(* it is local, and keeps its meaning for the module that has its own Size.  *)
EXTENDS Naturals, UsesSize

VARIABLE x

Five == 5
Size == 4

ASSUME SizeThere = 5
ASSUME Size = 4

Init == x = 0
Next == x' = (x + 1) % SizeThere
Range == x < 5
=============================================================================
