//! `specline validate SPEC --map`: what the configuration asks for is asked of every state and step of the behaviour, and the verdict is
//! the exit code whoever reads the answer.

use std::io;

use crate::sandbox::{Run, Sandbox};

const COUNT: &str = r#"---- MODULE Count ----
EXTENDS Naturals
VARIABLE x
Init == x = 0
Inc == x < 10 /\ x' = x + 1
Next == Inc
NotOne == x # 1
ByOne == [][x' = x + 1]_x
FromFive == x = 5 /\ [][x' = x + 1]_x
====
"#;

const TWICE: &str = r#"[log]
kind = "e"
[[event]]
kind = "two"
action = [["Inc", "Inc"]]
after = { x = "event.x" }
[[event]]
kind = "one"
action = "Inc"
after = { x = "event.x" }
"#;

const SILENT: &str = "[[silent]]\naction = \"Inc\"\n";

fn folder(asked: &str, map: &str, log: &str) -> Sandbox {
    Sandbox::new()
        .file("Count.tla", COUNT)
        .file("Count.cfg", format!("INIT Init\nNEXT Next\n{asked}\n"))
        .file("map.toml", map)
        .file("run.ndjson", log)
}

fn run(asked: &str, map: &str, log: &str) -> Run {
    folder(asked, map, log).run("validate Count.tla --map map.toml --log run.ndjson")
}

#[test]
fn the_steps_that_explain_one_event_are_each_asked() {
    let two = "{\"e\":\"two\",\"x\":2}\n";
    let told = run("INVARIANT NotOne", TWICE, two);
    told.ends_with(12);
    assert!(told.stdout().contains("by a state between the steps of line 1"), "{}", told.stdout());
    // Each step is by one, though both together are not.
    run("PROPERTY ByOne", TWICE, two).ends_with(0);
}

#[test]
fn what_a_property_says_of_the_initial_state_is_asked_of_it() {
    let told = run("PROPERTY FromFive", TWICE, "{\"e\":\"one\",\"x\":1}\n");
    told.ends_with(13);
    assert!(told.stdout().contains("in the initial state"), "{}", told.stdout());
}

#[test]
fn a_violation_after_a_silent_step_is_told_as_one() {
    let told = run("INVARIANT NotOne", &format!("{TWICE}{SILENT}"), "{\"e\":\"one\",\"x\":2}\n");
    told.ends_with(12);
    assert!(told.stdout().contains("by the state after a silent step"), "{}", told.stdout());
}

#[test]
fn the_verdict_is_the_same_where_nobody_reads_it() -> io::Result<()> {
    let sandbox = folder("", TWICE, "{\"e\":\"one\",\"x\":7}\n");
    let (reader, writer) = io::pipe()?;
    drop(reader);
    let mut command = sandbox.command("validate Count.tla --map map.toml --log run.ndjson");
    let status = command.stdout(writer.try_clone()?).stderr(writer).status()?;
    assert_eq!(status.code(), Some(28));
    Ok(())
}

#[test]
fn steps_that_one_expression_composes_are_each_asked_too() {
    let two = "{\"e\":\"two\",\"x\":2}\n";
    for action in ["'Inc \\cdot Inc'", "[['Inc \\cdot Inc']]"] {
        let map = TWICE.replace("[[\"Inc\", \"Inc\"]]", action);
        let told = run("INVARIANT NotOne", &map, two);
        told.ends_with(12);
        assert!(told.stdout().contains("by a state between the steps of line 1"), "{}", told.stdout());
        run("", &map, two).ends_with(0);
    }
    let three = TWICE.replace("[[\"Inc\", \"Inc\"]]", "[['Inc \\cdot Inc', \"Inc\"]]");
    run("PROPERTY ByOne", &three, "{\"e\":\"two\",\"x\":3}\n").ends_with(0);
    let hidden = TWICE.replace("[[\"Inc\", \"Inc\"]]", "'x = 0 /\\ (Inc \\cdot Inc)'");
    let told = run("INVARIANT NotOne", &hidden, two);
    assert!(told.stderr().contains("cannot be told apart"), "{}", told.stderr());
}

const BY_CASES: &str = r#"---- MODULE ByCases ----
EXTENDS Naturals
VARIABLE x
Init == x = 0
Up(n) == x' = x + n
Down(n) == x' = x - n
Next ==
  LET Any(n) == CASE x < 3 -> Up(n) [] x > 3 -> Down(n) [] OTHER -> Up(n) \/ Down(n)
      Some == \E n \in 1..3 : IF n < 3 THEN Any(n) ELSE Up(n)
  IN Some
====
"#;

#[test]
fn actions_are_found_in_cases_and_in_what_a_let_defines() {
    let map = "[log]\nkind = \"e\"\n[bind]\nn = \"event.n\"\n[events]\nup = \"Up\"\ndown = \"Down\"\n";
    let run = |events: &[(&str, u32)]| {
        let log: String = events.iter().map(|(e, n)| format!("{{\"e\":\"{e}\",\"n\":{n}}}\n")).collect();
        Sandbox::new()
            .file("ByCases.tla", BY_CASES)
            .file("ByCases.cfg", "INIT Init\nNEXT Next\n")
            .file("map.toml", map)
            .file("run.ndjson", log)
            .run("validate ByCases.tla --map map.toml --log run.ndjson")
    };
    run(&[("up", 1), ("up", 2), ("down", 2), ("up", 3), ("down", 1)]).ends_with(0);
    // Three at a time go up only, whatever x is; and x = 1 is no case for going down.
    run(&[("up", 3), ("up", 3), ("down", 3)]).ends_with(28);
    run(&[("up", 1), ("down", 1)]).ends_with(28);
    run(&[("up", 4)]).ends_with(28);
}

#[test]
fn a_search_ends_when_what_it_keeps_takes_too_much_room() {
    // Two ways at each event, so that nothing is settled before the end, which nothing explains.
    let spec = "---- MODULE Wide ----\nEXTENDS Naturals\nVARIABLES a, b\nInit == a = 0 /\\ b = 0\n\
        Left == a' = a + 1 /\\ b' = b\nRight == b' = b + 1 /\\ a' = a\nNext == Left \\/ Right\n====\n";
    let map = "[log]\nkind = \"e\"\n[events]\ngo = [\"Left\", \"Right\"]\n";
    let log = "{\"e\":\"go\"}\n".repeat(30_000);
    let sandbox = Sandbox::new()
        .file("Wide.tla", spec)
        .file("Wide.cfg", "INIT Init\nNEXT Next\n")
        .file("map.toml", map)
        .file("run.ndjson", log);
    let run = "validate Wide.tla --map map.toml --log run.ndjson";
    sandbox.run(run).ends_with(0);
    let told = sandbox.run(&format!("{run} --memory 4M"));
    told.ends_with(21);
    assert!(told.stdout().contains("takes more than 4 MB"), "{}", told.stdout());
}

#[test]
fn json_has_the_last_states_of_a_behaviour_that_is_too_long() {
    let spec = "---- MODULE Grow ----\nEXTENDS Naturals, Sequences\nVARIABLE q\nInit == q = <<>>\n\
        Add(v) == q' = Append(q, v)\nNext == \\E v \\in Nat : Add(v)\n====\n";
    let events = |n: usize| "{\"e\":\"add\",\"v\":7}\n".repeat(n);
    let sandbox = Sandbox::new()
        .file("Grow.tla", spec)
        .file("Grow.cfg", "INIT Init\nNEXT Next\n")
        .file("map.toml", "[log]\nkind = \"e\"\n[events]\nadd = { action = \"Add\", bind = [\"v\"] }\n")
        .file("few.ndjson", events(30))
        .file("many.ndjson", events(1_600));
    let kept = |name: &str| {
        let run = sandbox.run(&format!("validate Grow.tla --map map.toml --format json --log {name}"));
        run.ends_with(0);
        let last = run.stdout().lines().last().unwrap_or_default().to_owned();
        let told: serde_json::Value = serde_json::from_str(&last).expect("it is JSON");
        (told["left_out"].as_u64(), told["trace"]["states"].as_array().map(Vec::len))
    };
    assert_eq!(kept("few.ndjson"), (Some(0), Some(31)));
    let (Some(left_out), Some(n_states)) = kept("many.ndjson") else { panic!("both are told") };
    assert!(left_out > 0 && n_states > 20, "{left_out} and {n_states}");
    assert_eq!(left_out + n_states as u64, 1_601);
    let keep = "validate Grow.tla --map map.toml --log many.ndjson --trace kept.itf.json --memory 16M";
    sandbox.run(keep).says(0, &["SL0872", "states that are left out"]);
}

const HIDDEN: &str = r#"---- MODULE Hidden ----
EXTENDS Naturals
VARIABLES x, hidden
Init == x = 0 /\ hidden = 0
Choose == hidden' \in {1, 2} /\ x' = x
Once == x' = x + 1 /\ UNCHANGED hidden
Inc == x' = x + 1 /\ UNCHANGED hidden
Dec == x' = x - 1 /\ UNCHANGED hidden
Next == Choose \/ Once \/ Inc \/ Dec
====
"#;

/// Whether the log has one candidate all along, or two from its first event on, and whether the states of the beginning are
/// kept or not: what explained an event there is counted.
#[test]
fn rules_are_counted_in_all_of_a_long_log_that_is_rejected() {
    let map = "[log]\nkind = \"e\"\n[events]\nchoose = \"Choose\"\nonce = \"Once\"\ndec = \"Dec\"\n\
               [events.inc]\naction = \"Inc\"\nafter = { \"x\" = \"event.x\" }\n";
    let cases =
        [("{\"e\":\"choose\"}", 2, [1, 1, 0, 29_998]), ("{\"e\":\"inc\",\"x\":1}", 3, [0, 1, 0, 29_998])];
    for (first, from, counts) in cases {
        let rest: String = (from..30_000).map(|x| format!("{{\"e\":\"inc\",\"x\":{x}}}\n")).collect();
        let log = format!("{first}\n{{\"e\":\"once\"}}\n{rest}{{\"e\":\"inc\",\"x\":7}}\n");
        let sandbox = Sandbox::new()
            .file("Hidden.tla", HIDDEN)
            .file("Hidden.cfg", "INIT Init\nNEXT Next\n")
            .file("map.toml", map)
            .file("run.ndjson", log);
        let told = sandbox.run("validate Hidden.tla --map map.toml --log run.ndjson --format json");
        told.ends_with(28);
        let objects = told.stdout().lines().map(serde_json::from_str::<serde_json::Value>);
        let mut objects = objects.map(|object| object.expect("it is JSON"));
        let answer = objects.find(|object| object["kind"] == "validation").expect("there is an answer");
        let rules = answer["rules"].as_array().expect("a list");
        let found: Vec<i64> = rules.iter().filter_map(|rule| rule["events"].as_i64()).collect();
        assert_eq!(found, counts, "{}", answer["rules"]);
        assert_eq!(answer["explained"], counts.iter().sum::<i64>());
    }
}
