//! `specline validate --map --live`: logs that are still being written; and what mapped runs have besides: reports, coverage, a page.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, Command, Stdio};

use serde_json::Value;
use test_kit::Browser;

use crate::sandbox::Sandbox;

/// A counter that may forget a step on the way, which nobody logs.
const SPEC: &str = r#"---- MODULE Tally ----
EXTENDS Naturals
VARIABLES n, odd
Init == n = 0 /\ odd = FALSE
Up(k) == n' = n + k /\ UNCHANGED odd
Reset == n > 0 /\ n' = 0 /\ UNCHANGED odd
Flip == odd' \in BOOLEAN /\ UNCHANGED n
Never == n > 100 /\ UNCHANGED <<n, odd>>
Next == (\E k \in 1..3 : Up(k)) \/ Reset \/ Flip \/ Never
====
"#;
const CONFIG: &str = "INIT Init\nNEXT Next\n";
const MAP: &str = r#"
[log]
kind = "kind"
[[event]]
kind = "up"
action = "Up"
bind = { k = "event.by" }
after = { "n" = "event.to" }
[[event]]
kind = "reset"
action = "Reset"
[[event]]
kind = "flip"
action = "Flip"
"#;

const TALLY: &str = "validate Tally.tla --map map.toml";

fn sandbox() -> Sandbox {
    Sandbox::new().file("Tally.tla", SPEC).file("Tally.cfg", CONFIG).file("map.toml", MAP)
}

fn up(by: u32, to: u32) -> String {
    format!("{{\"kind\": \"up\", \"by\": {by}, \"to\": {to}}}\n")
}

fn started(sandbox: &Sandbox, args: &str) -> Child {
    let mut command = sandbox.command(&format!("{TALLY} {args}"));
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().expect("the program starts")
}

fn objects(text: &str, kind: &str) -> Vec<Value> {
    let lines = text.lines().map(|line| serde_json::from_str::<Value>(line).expect(line));
    lines.filter(|object| object["kind"] == kind).collect()
}

#[test]
fn what_nothing_explains_is_told_while_the_log_is_still_open() {
    let sandbox = sandbox();
    let mut child = started(&sandbox, "--log - --live");
    let mut to = child.stdin.take().expect("its input is a pipe");
    to.write_all([up(1, 1), up(2, 3), up(1, 9)].concat().as_bytes()).expect("it reads");
    // Its input stays open: that it ends at all is what is tested.
    let output = child.wait_with_output().expect("it ends");
    drop(to);
    let told = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(28), "{told}");
    assert!(told.contains("nothing explains line 3 of `-`"), "{told}");
    assert!(told.contains("n is 4") || told.contains("n' is 4"), "{told}");
}

#[test]
fn the_end_of_the_input_is_the_end_of_the_log() {
    let sandbox = sandbox();
    for live in ["", " --live"] {
        let mut child = started(&sandbox, &format!("--log -{live}"));
        let mut to = child.stdin.take().expect("its input is a pipe");
        to.write_all(up(1, 1).as_bytes()).expect("it reads");
        drop(to);
        let output = child.wait_with_output().expect("it ends");
        assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    }
}

#[test]
fn a_file_that_grows_is_followed_until_a_signal_says_that_it_is_over() {
    let sandbox = sandbox().file("run.ndjson", up(1, 1));
    let mut child = started(&sandbox, "--log run.ndjson --live --format json");
    let mut lines = BufReader::new(child.stdout.take().expect("its output is a pipe")).lines();
    let mut next =
        || serde_json::from_str::<Value>(&lines.next().expect("a line").expect("text")).expect("JSON");
    // It has explained what is there, and waits.
    let progress = next();
    assert_eq!((&progress["kind"], &progress["lines"]), (&Value::from("progress"), &Value::from(1)));
    let path = sandbox.path().join("run.ndjson");
    let mut file = std::fs::OpenOptions::new().append(true).open(path).expect("the log is there");
    file.write_all(up(3, 4).as_bytes()).expect("it can be written");
    let sent = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(sent.expect("there is a kill").success());
    let answer =
        std::iter::repeat_with(next).find(|object| object["kind"] == "validation").expect("an answer");
    assert_eq!((&answer["verdict"], &answer["events"]), (&Value::from("accepted"), &Value::from(2)));
    assert_eq!(child.wait().expect("it ends").code(), Some(0));
}

#[test]
fn more_candidates_than_allowed_leave_it_undecided() {
    let sandbox = sandbox().file("run.ndjson", "{\"kind\": \"flip\"}\n".repeat(4));
    sandbox.run(&format!("{TALLY} --log run.ndjson --candidates 100")).ends_with(0);
    let run = sandbox.run(&format!("{TALLY} --log run.ndjson --candidates 2 --format json"));
    run.ends_with(21);
    assert_eq!(objects(run.stdout(), "validation")[0]["verdict"], "undecided");
}

#[test]
fn what_cannot_be_followed_live_is_refused() {
    let sandbox = sandbox().file("a.ndjson", up(1, 1)).file("b.ndjson", up(1, 2));
    let run = sandbox.run(&format!("{TALLY} --log a.ndjson b.ndjson --live"));
    run.ends_with(1);
    assert!(run.stderr().contains("by which fields"), "{}", run.stderr());
    for args in ["--log -", "--log a.ndjson --live"] {
        let run = sandbox.run(&format!("validate --spec Tally.tla {args}"));
        run.ends_with(1);
        assert!(run.stderr().contains("reads its log from a file"), "{}", run.stderr());
    }
}

#[test]
fn mapped_runs_have_reports_coverage_and_a_page() {
    let sandbox = sandbox()
        .file("one/run.ndjson", [up(1, 1), up(2, 3)].concat())
        .file("two/run.ndjson", [up(1, 1), "{\"kind\": \"flip\"}\n".to_owned(), up(1, 3)].concat())
        .folder("profile");
    let args =
        "--log one two --workers 2 --junit out.xml --github --why-html why.html --coverage --format json";
    let run = sandbox.run(&format!("{TALLY} {args}"));
    run.ends_with(28);
    let summary = objects(run.stdout(), "summary").remove(0);
    assert_eq!((&summary["accepted"], &summary["rejected"]), (&Value::from(1), &Value::from(1)));
    let junit = sandbox.read("out.xml");
    assert!(junit.contains("tests=\"2\" failures=\"1\" errors=\"0\""), "{junit}");
    assert!(run.stderr().contains("file=two/run.ndjson,line=3,"), "{}", run.stderr());
    let coverage = objects(run.stdout(), "coverage").remove(0);
    let actions = coverage["actions"].as_array().expect("actions").clone();
    let never =
        actions.iter().filter(|action| action["generated"] == 0).map(|action| action["name"].as_str());
    assert_eq!(never.collect::<Vec<_>>(), [Some("Reset"), Some("Never")]);
    let rules = objects(run.stdout(), "rules").remove(0);
    assert_eq!(rules["rules"][0]["action"], "Up");
    assert_eq!(rules["rules"][1]["events"], 0);
    let mut browser = Browser::open(&sandbox.path().join("why.html"), &sandbox.path().join("profile"));
    let mut text = |selector: &str| {
        let text = browser.eval(&format!("document.querySelector('{selector}').innerText"));
        text.as_str().expect("a text").to_owned()
    };
    assert!(text("h1").contains("two/run.ndjson"));
    assert!(text(".row.stuck").contains("nothing explains this event"));
    let miss = text(".miss");
    assert!(miss.contains("Up") && miss.contains('2') && miss.contains('3'), "{miss}");
    browser.press("B");
    let branch = browser.eval("document.querySelector('#branch').innerText");
    assert!(branch.as_str().is_some_and(|text| text.contains("Flip")), "{branch}");
    assert_eq!(browser.errors, Vec::<String>::new());
}
