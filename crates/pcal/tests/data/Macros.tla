---- MODULE Macros ----
EXTENDS Naturals, Sequences
(* --algorithm Macros {
  variables queue = [p \in 0..1 |-> << >>], got = [p \in 0..1 |-> 0], flag = {};
  macro send(to, m) { queue[to] := Append(queue[to], m) }
  macro receive(v, from) {
    await queue[from] # << >>
          /\ TRUE;
    v := Head(queue[from]) ||
    queue[from] := Tail(queue[from]);
  }
  macro both(v, m) { receive(v, self); if (v > 0) { flag := flag \cup {m} } else { with (z = v + 1) flag := {z} } }
  fair+ process (node \in 0..1) variables inbox = 0; r = [a |-> 1, b |-> <<1, 2>>];
  {
    s: send(1 - self, self + 1);
    r1: receive(got[self], self);
    r2: either { send(self, 3); } or { r.b[1] := 4 || r.a := self; };
    r3: both(inbox, self);
        r := [r EXCEPT !.a = inbox];
        goto r4;
    r4: skip
  }
} *)
====
