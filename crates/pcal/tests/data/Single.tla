---- MODULE Single ----
EXTENDS Integers, Sequences, TLC
(* --algorithm Sort
variables list \in [1..3 -> 1..3], i = 1, j, swapped = TRUE;
procedure swap(at = 0)
variables old = << >>;
begin
  s1: old := <<list[at],
               list[at + 1]>>;
      list[at] := old[2] || list[at + 1] := old[1];
  s2: return;
end procedure
begin
  outer: while swapped do
           swapped := FALSE;
           i := 1;
           inner: while i < 3 do
             if list[i] > list[i + 1] then
               swapped := TRUE;
               call swap(i);
             end if;
             next: i := i + 1;
           end while;
         end while;
         assert \A k \in 1..2 :
                  list[k] <= list[k + 1];
         j := CHOOSE k \in 1..3 : TRUE;
end algorithm *)
\* BEGIN TRANSLATION (chksum(pcal) = "0" /\ chksum(tla) = "0")
old
\* END TRANSLATION
====
