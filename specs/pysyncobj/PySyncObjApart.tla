--------------------------- MODULE PySyncObjApart ---------------------------
(* PySyncObj where the connection between two nodes breaks first and is not  *)
(* made again: what takes three nodes, with not many more states than two    *)
(* have.                                                                     *)
EXTENDS PySyncObj

CONSTANT Apart   \* the two nodes

StayApart == Apart \in net'.cut
=============================================================================
