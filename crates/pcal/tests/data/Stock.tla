---- MODULE Stock ----
EXTENDS Integers, Sequences, TLC
CONSTANT Customers

(* --algorithm Stock {
  variables stock = 3, orders = [c \in Customers |-> 0],
            log = << >>;

  define {
    InStock == stock >= 0
    Total == orders  \* what was ordered
    Fair(a, b) == \/ a = b
                  \/ a > b   (* a comment
                                of two lines *)
  }

  macro note(text, who) {
    log := Append(log, [text |-> text, who |-> who]);
    if (Len(log) > 3) { log := Tail(log) || stock := stock };
  }

  procedure order(n = 1)
    variable tries = 0; {
    begin: while (n > 0 /\ tries < 2) {
      tries := tries + 1;
      either { await stock > 0; stock := stock - 1; n := n - 1 }
      or { skip; wait: tries := tries + 1; };
    };
    finish: orders[self] := orders[self] + tries;
    return;
  }

  procedure twice(m)
  {
    first: call order(m);
    second: call order(m + 1);
            return;
  }

  fair process (customer \in Customers)
    variables wants \in 1 .. 2, done = FALSE;
  {
    buy: call twice(wants);
    look:- with (x \in {1, 2}; y = x + wants) {
      if (y > 2) { done := TRUE; wants := y }
      else wants := 0;
    };
    say:+ print <<"ready", self, wants>>;
          assert wants >= 0;
  }

  process (supplier = "supplier")
  { deliver: while (TRUE) {
      stock := stock + 1;
      rest: if (stock > 5) { goto Done } ;
    }
  }
} *)
====
