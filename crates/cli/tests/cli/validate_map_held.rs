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
