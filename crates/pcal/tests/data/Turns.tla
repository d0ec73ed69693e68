---- MODULE Turns ----
EXTENDS Naturals, TLC

(* PlusCal options (termination, -lineWidth 60) *)

(***************************************************************************
--fair algorithm Turns
variables turn = 1, a_rather_long_name = {}, another_rather_long_name = [i \in 1..2 |-> i], x;
macro pass() begin
  turn := 3 - turn
end macro;

procedure enter(who) begin
  ask: await turn = who;
  take: if who = 1 then
          a_rather_long_name := a_rather_long_name \union {who};
        elsif who = 2 then
          x := who;
        else
          skip;
        end if;
        pass();
        return;
end procedure;

process left = 1
variable n = 0;
begin
  go: while n < 2 do
        n := n + 1;
        call enter(self);
      end while;
  go2: either another_rather_long_name[1] := 5 || another_rather_long_name[2] := 6;
       or a: n := 7;
          b: n := 8;
       end either;
end process;

process right = 2
variable n = 0;
begin
  go: while n < 2 do
        call enter(self); again: n := n + 1;
      end while;
end process;

end algorithm;
***************************************************************************)
====
