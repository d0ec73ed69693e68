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

/// A specification of two variables with what it does, and a configuration.
fn pair(body: &str, config: &str) -> Sandbox {
    let spec = format!(
        "---- MODULE Pair ----\nEXTENDS Integers\nVARIABLES x, y\n{body}\n\
         Spec == Init /\\ [][Next]_<<x, y>> /\\ WF_<<x, y>>(Next)\nLive == <>[](x = 0)\n====\n"
    );
    Sandbox::new().file("Pair.tla", spec).file("Pair.cfg", format!("SPECIFICATION Spec\n{config}\n"))
}

/// A trace of `x` alone, 0 and then 1, and whether it goes back.
fn only_x(goes_back: bool) -> &'static str {
    match goes_back {
        true => r#"{"vars":["x"],"states":[{"x":0},{"x":1}],"loop":0}"#,
        false => r#"{"vars":["x"],"states":[{"x":0},{"x":1}]}"#,
    }
}

#[test]
fn an_unfinished_state_is_compared_as_far_as_it_goes() {
    let trace = |x: i32| {
        format!(
            r#"{{"counterexample":{{"action":[[[1,{{"x":0,"y":0}}],{{"name":"Next"}},[2,{{"x":{x}}}]]],
            "state":[[1,{{"x":0,"y":0}}],[2,{{"x":{x}}}]]}},"vars":["x","y"]}}"#
        )
    };
    let whole = "Init == x = 0 /\\ y = 0\nNext == x' = x + 1 /\\ y' = y";
    check(&load(pair(whole, ""), "Pair", &trace(77)), 26, "no step leads from state 1 to state 2");
    check(&load(pair(whole, ""), "Pair", &trace(1)), 0, "(2 states)");
    let unfinished = "Init == x = 0 /\\ y = 0\nNext == x' = x + 1 /\\ (x > 5 => y' = y)";
    check(&load(pair(unfinished, ""), "Pair", &trace(77)), 26, "no step leads from state 1 to state 2");
    check(&load(pair(unfinished, ""), "Pair", &trace(1)), 75, "`y` has no value in a successor");
    // What the specification does not have does not make a state unfinished.
    let foreign = r#"{"counterexample":{"action":[[[1,{"x":0}],{"name":"Next"},[2,{"x":2}]]],
        "state":[[1,{"x":0,"q":1}],[2,{"x":2}]]},"vars":["x","q"]}"#;
    check(&load(around(""), "Around", foreign), 26, "no step leads from state 1 to state 2");
}

#[test]
fn a_trace_without_states_is_refused() {
    let run = load(around(""), "Around", r#"{"counterexample":{"action":[],"state":[]},"vars":["x"]}"#);
    assert_eq!(run.code(), Some(255), "{}", run.stdout());
    assert!(format!("{}{}", run.stdout(), run.stderr()).contains("the trace has no states"));
}

#[test]
fn of_many_behaviours_the_one_that_closes_is_found() {
    let body = "Init == x = 0 /\\ y = 0\nNext ==\n  \\/ x = 0 /\\ x' = 1 /\\ y' \\in 1..100\n\
        \x20 \\/ x = 1 /\\ y = 50 /\\ x' = 0 /\\ y' = 0\n  \\/ x = 1 /\\ y # 50 /\\ x' = 2 /\\ y' = y";
    let run = load(pair(body, "PROPERTY Live"), "Pair", only_x(true));
    check(&run, 13, "temporal property `Live` is violated");
}

#[test]
fn of_several_states_before_one_each_is_followed() {
    let body = "Init == x = 0 /\\ y \\in 1..2\nNext ==\n  \\/ x = 0 /\\ x' = 1 /\\ y' \\in 1..2\n\
        \x20 \\/ x = 1 /\\ y = 1 /\\ x' = 0 /\\ y' = 2\nAct == [][~(y = 2 /\\ y' = 1)]_<<x, y>>";
    let run = load(pair(body, "PROPERTY Live"), "Pair", only_x(true));
    check(&run, 13, "temporal property `Live` is violated");
    let run = load(pair(body, "PROPERTY Act\nCHECK_DEADLOCK FALSE"), "Pair", only_x(false));
    check(&run, 13, "action property `Act` is violated");
}

#[test]
fn beyond_the_limit_there_is_no_verdict() {
    let body = "Init == x = 0 /\\ y \\in 1..10001\nNext == x = 0 /\\ x' = 1 /\\ y = 10001 /\\ y' = y";
    let run = load(pair(body, ""), "Pair", only_x(false));
    check(&run, 21, "It is not known whether `t.json` is a behaviour of the specification");
    let body = "Init == x = 0 /\\ y \\in 1..1001\nNext == x = 0 /\\ x' = 1 /\\ y' = y";
    let sandbox = pair(body, "CHECK_DEADLOCK FALSE").file("t.json", only_x(false));
    check(
        &sandbox.run("check Pair.tla --load t.json"),
        21,
        "It is not known whether something is wrong with it",
    );
    let run = sandbox.run("check Pair.tla --load t.json --format json");
    check(&run, 21, r#""verdict":"limit""#);
}

#[test]
fn a_cycle_may_close_as_the_view_sees_it() {
    let body = "Init == x = 0 /\\ y = 0\nNext == x' = (x + 1) % 3 /\\ y' = y + 1\nView == x";
    let sandbox = pair(body, "PROPERTY Live\nVIEW View");
    sandbox.run("check Pair.tla --trace t.json").ends_with(13);
    let run = sandbox.run("check Pair.tla --load t.json");
    check(&run, 13, "Still wrong, in state 3: temporal property `Live` is violated");
    let run = load(pair(body, "PROPERTY Live"), "Pair", &sandbox.read("t.json"));
    check(&run, 26, "no step leads from state 3 back");
    // The same state, as the view sees it, and yet a step.
    let body = "Init == x = 1 /\\ y = 0\nNext == x' = x /\\ y' = y + 1\nView == x";
    let sandbox = pair(body, "PROPERTY Live\nVIEW View");
    sandbox.run("check Pair.tla --trace t.json").ends_with(13);
    check(
        &sandbox.run("check Pair.tla --load t.json"),
        13,
        "Still wrong, in state 1: temporal property `Live`",
    );
}

#[test]
fn an_alias_with_the_name_of_a_variable() {
    let body = "Init == x = 0 /\\ y = 0\nNext == x' = x + 1 /\\ y' = y\nInv == x < 3\nShown == [x |-> x + 10, nx |-> x']";
    let sandbox = pair(body, "INVARIANT Inv\nALIAS Shown");
    sandbox.run("check Pair.tla --trace t.json").ends_with(12);
    let run = sandbox.run("check Pair.tla --load t.json");
    check(&run, 12, "Still wrong, in state 4: invariant `Inv` is violated");
    // A trace of the variables is one still.
    let plain = r#"{"vars":["x","y"],"states":[{"x":0,"y":0},{"x":1,"y":0},{"x":2,"y":0},{"x":3,"y":0}]}"#;
    let run = load(sandbox, "Pair", plain);
    check(&run, 12, "Wrong, in state 4: invariant `Inv` is violated");
}

#[test]
fn of_many_states_the_one_that_an_alias_shows() {
    let body = "Init == x = 0 /\\ y \\in 1..3000\nNext == x = 0 /\\ x' = 1 /\\ y' = y\n\
        Inv == ~(x = 1 /\\ y = 2500)\nShown == [both |-> <<x, y>>]";
    let sandbox = pair(body, "INVARIANT Inv\nALIAS Shown\nCHECK_DEADLOCK FALSE");
    sandbox.run("check Pair.tla --trace t.json").ends_with(12);
    check(&sandbox.run("check Pair.tla --load t.json"), 12, "Still wrong, in state 2: invariant `Inv`");
}

#[test]
fn an_unfair_cycle_hides_no_violation_on_the_way() {
    let body = "Init == x = 0 /\\ y = 0\nNext == (x' = 1 - x \\/ (x = 0 /\\ x' = 5)) /\\ y' = y\nInv == x # 1\n\
        Five == SF_<<x, y>>(x = 0 /\\ x' = 5 /\\ y' = y)";
    let sandbox = pair(body, "INVARIANT Inv\nPROPERTY Live\nCHECK_DEADLOCK FALSE");
    let text = sandbox.read("Pair.tla").replace("WF_<<x, y>>(Next)", "Five");
    let sandbox = sandbox.file("Pair.tla", text);
    let run = load(sandbox, "Pair", only_x(true));
    check(&run, 12, "its cycle is not fair");
    assert!(run.stdout().contains("Wrong, in state 2: invariant `Inv` is violated"), "{}", run.stdout());
}

#[test]
fn arguments_of_functions_are_sets_in_any_order() {
    let spec = "---- MODULE Keys ----\nEXTENDS Integers\nCONSTANT P\nVARIABLES f, n\n\
        Init == f = [s \\in SUBSET P |-> 0] /\\ n = 0\nNext == n' = n + 1 /\\ f' = f\nInv == n < 1\n====\n";
    let config = "INIT Init\nNEXT Next\nINVARIANT Inv\nCONSTANT P = {q, p}\n";
    let sandbox = || Sandbox::new().file("Keys.tla", spec).file("Keys.cfg", config);
    let trace = |both: &str| {
        let state =
            |n: i32| format!(r#"[{},{{"f":{{"{{}}":0,"{{q}}":0,"{{p}}":0,"{both}":0}},"n":{n}}}]"#, n + 1);
        let (one, two) = (state(0), state(1));
        format!(
            r#"{{"counterexample":{{"action":[[{one},{{"name":"Next"}},{two}]],"state":[{one},{two}]}},"vars":["f","n"]}}"#
        )
    };
    for both in ["{q, p}", "{p, q}"] {
        check(&load(sandbox(), "Keys", &trace(both)), 12, "invariant `Inv` is violated");
    }
    check(&load(sandbox(), "Keys", &trace("<<p, q>>")), 26, "state 1 is no initial state");
}
