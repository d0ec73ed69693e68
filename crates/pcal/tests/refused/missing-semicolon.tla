---- MODULE M ----
EXTENDS Naturals
--algorithm A
variable n = 0;
begin
  a: n := 1
  if n = 1 then skip; end if;
end algorithm
====
