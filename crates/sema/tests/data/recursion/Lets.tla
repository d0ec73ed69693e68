---- MODULE Lets ----
EXTENDS Naturals, Sequences
Sum(s) ==
  LET RECURSIVE Up(_, _), Down(_)
      Up(i, acc) == IF i = 0 THEN acc ELSE Up(i - 1, acc + s[i]) + Down(0)
      Down(j) == IF j = 0 THEN 0 ELSE Up(j, j)
  IN  Up(Len(s), 0)
====
