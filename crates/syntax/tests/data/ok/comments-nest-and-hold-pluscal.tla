---- MODULE M ----
(* one (* inside *) another *)
(***********************************************************
--algorithm count
variables n = 0;
begin
  Loop: while n < 3 do n := n + 1; end while;
end algorithm
***********************************************************)
\* BEGIN TRANSLATION (* not closed here
a == 1 \* after (* code
\* END TRANSLATION
b == (* in *) 2 (* the *) + (* middle *) 3
(* "a quote *) c == "(* a string *)"
====
