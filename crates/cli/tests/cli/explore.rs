//! `specline explore`: steps taken at the prompt.

use crate::eval::with_lines;
use crate::sandbox::Sandbox;

const LAMPS: &str = "---- MODULE Lamps ----\nEXTENDS Naturals\nVARIABLES on\n\
                     Init == \\E n \\in {1, 2} : on = [i \\in 1..2 |-> i = n]\n\
                     Press(i) == on' = [on EXCEPT ![i] = ~@]\nNext == \\E i \\in 1..2 : Press(i)\n\
                     Dark == \\E i \\in 1..2 : on[i]\n====\n";
const CONFIG: &str = "INIT Init\nNEXT Next\nINVARIANT Dark\n";

fn lamps() -> Sandbox {
    Sandbox::new().file("Lamps.tla", LAMPS).file("Lamps.cfg", CONFIG)
}

#[test]
fn steps_are_listed_taken_and_taken_back() {
    let lines =
        "1\n1\non\nback\nkeep first\n2\nswitch first\npath\nsave way.itf.json\nsave way.itf.json\nquit\n";
    let sandbox = lamps();
    let run = with_lines(&sandbox, "explore Lamps.tla", lines);
    let told = [
        "1: initial state",
        "2: initial state",
        "1: Press(i = 1)",
        "2: Press(i = 2)",
        "on = <<TRUE, FALSE>>",
        "on[1]: TRUE -> FALSE",
        "invariant `Dark` does not hold here",
        "<<FALSE, FALSE>>",
        "wrote way.itf.json, 1 states",
        "cannot write `way.itf.json`",
    ];
    run.says(0, &told);
    sandbox.run("check Lamps.tla --load way.itf.json").ends_with(0);
}

#[test]
fn a_trace_leads_to_its_states() {
    let sandbox = lamps();
    sandbox.run("check Lamps.tla --trace bug.itf.json").ends_with(12);
    let run = with_lines(&sandbox, "explore Lamps.tla --at bug.itf.json:2", "goto 1\ngoto 9\nback\n7\n");
    run.says(
        0,
        &["State 2: Press", "State 1: initial state", "no state 9", "no state before", "no 7 in the list"],
    );
    sandbox.run("explore Lamps.tla --at bug.itf.json:9").says(151, &["SL0809"]);
}

#[test]
fn what_cannot_be_explored_is_told() {
    let sandbox = Sandbox::new().file(
        "Odd.tla",
        "---- MODULE Odd ----\nVARIABLE x\nInit == x = 0\nNext == x' = x + {}\nASSUME FALSE\n====\n",
    );
    sandbox.run("explore Odd.tla").says(150, &["SL0301"]);
    let sandbox = Sandbox::new().file("Bare.tla", "---- MODULE Bare ----\n====\n");
    let run = sandbox.run("explore Bare.tla");
    assert_ne!(run.code(), Some(0), "{}", run.stderr());
    let algorithm = "(* --algorithm Tick\nvariable n = 0;\nbegin\n  step: n := 1;\nend algorithm; *)";
    let untranslated = format!("---- MODULE Tick ----\n{algorithm}\n====\n");
    let sandbox = Sandbox::new().file("Tick.tla", untranslated);
    sandbox.run("explore Tick.tla").says(150, &["SL0608", "`--translate`"]);
}
