---------------------------- MODULE AssignsHere -----------------------------
(* Assigns a variable that is another one elsewhere.                         *)
VARIABLE cell
Put(v) == cell' = v
=============================================================================
