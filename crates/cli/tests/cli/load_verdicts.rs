//! `check --load`: a verdict about a trace is that of a search, or there is none.

use crate::sandbox::{Run, Sandbox};

/// A counter that goes round, with what is to be checked of it.
fn around(config: &str) -> Sandbox {
    let spec = "---- MODULE Around ----\nEXTENDS Integers\nVARIABLE x\nInit == x = 0\nNext == x' = (x + 1) % 3\n\
        Spec == Init /\\ [][Next]_x /\\ WF_x(Next)\nMono == [][x' > x]_x\nLive == <>[](x = 0)\nUp == x' > x\n====\n";
    Sandbox::new().file("Around.tla", spec).file("Around.cfg", format!("SPECIFICATION Spec\n{config}\n"))
}

/// A trace of nothing but states, run again.
fn load(sandbox: Sandbox, name: &str, trace: &str) -> Run {
    sandbox.file("t.json", trace).run(&format!("check {name}.tla --load t.json"))
}

fn check(run: &Run, code: i32, words: &str) {
    assert_eq!(run.code(), Some(code), "{}{}", run.stdout(), run.stderr());
    assert!(run.stdout().contains(words), "{words}: {}{}", run.stdout(), run.stderr());
}

const ROUND: &str = r#"{"vars":["x"],"states":[{"x":0},{"x":1},{"x":2}],"loop":0}"#;

#[test]
fn the_step_that_closes_a_cycle_is_judged() {
    let run = load(around("PROPERTY Mono"), "Around", ROUND);
    check(&run, 13, "Wrong, in state 4: action property `Mono` is violated");
    assert!(run.stdout().contains("State 4"), "{}", run.stdout());
    check(&load(around("ACTION_CONSTRAINT Up"), "Around", ROUND), 0, "state 4 is outside of `Up`");
}

#[test]
fn a_behaviour_that_stays_as_it_is_does_not_leave_a_constraint() {
    let stays = r#"{"vars":["x"],"states":[{"x":0},{"x":0},{"x":1}]}"#;
    let run = load(around("ACTION_CONSTRAINT Up"), "Around", stays);
    check(&run, 0, "is a behaviour");
    assert!(!run.stdout().contains("outside of"), "{}", run.stdout());
}

#[test]
fn a_cycle_through_an_unfinished_state_is_no_panic() {
    let trace = r#"{"counterexample":{"action":[[[1,{"x":0}],{"name":"Next"},[2,{"x":1}]],
        [[2,{"x":1}],{"name":"Next"},[3,{}]],[[3,{}],{"name":"Next"},[3,{}]]],
        "state":[[1,{"x":0}],[2,{"x":1}],[3,{}]]},"vars":["x"]}"#;
    let run = load(around("PROPERTY Live"), "Around", trace);
    assert!(!run.stderr().contains("panicked"), "{}", run.stderr());
    assert_ne!(run.code(), Some(70), "{}", run.stdout());
}
