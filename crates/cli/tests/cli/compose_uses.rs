//! Compositions in the place of a specification where a program, a log or a browser takes part, and files that change
//! meanwhile.

use std::io::{BufRead, BufReader, Read};
use std::process::Stdio;

use serde_json::{Value, json};
use test_kit::Browser;

use crate::compose::{example, lock};
use crate::sandbox::{Run, Sandbox};
use crate::stage_ends::check_nothing_is_left;

/// Lines that a client and the service of the lock wrote down, and which action each is.
const LOG: &str = r#"{"event":"ask","client":"c1"}
{"event":"grant"}
{"event":"learn","client":"c1","until":2}
{"event":"write","client":"c1"}
"#;

const MAP: &str = r#"[log]
kind = "event"

[[event]]
kind = "ask"
action = "Ask"
bind = { c = "event.client" }

[[event]]
kind = "grant"
action = "Grant"

[[event]]
kind = "learn"
action = "Learn"
bind = { c = "event.client" }
after = { "mine[event.client]" = "event.until" }

[[event]]
kind = "write"
action = "Write"
bind = { c = "event.client" }
"#;

#[test]
fn a_log_is_validated_by_a_composition() {
    let sandbox = lock().file("map.toml", MAP).file("run.ndjson", LOG);
    sandbox.run("validate lock.toml@fine --map map.toml --log run.ndjson").ends_with(0);
    let early = LOG.replace("{\"event\":\"grant\"}\n", "");
    let sandbox = sandbox.file("early.ndjson", early);
    let run = sandbox.run("validate lock.toml@fine --map map.toml --log early.ndjson");
    // What does not fit is shown where it is written: in the grain.
    run.says(28, &["Clients.tla"]);
    // The atomic grain has no requests: the mapping does not fit it.
    let run = sandbox.run("validate lock.toml@atomic --map map.toml --log run.ndjson");
    assert_ne!(run.code(), Some(0));
    assert!(run.stderr().contains("Ask"), "{}", run.stderr());
}

/// A trace specification is a grain like any other: it may read a log.
#[test]
fn a_trace_specification_may_be_a_composition() {
    let reader = "---- MODULE Reader ----\nEXTENDS Naturals, Sequences, Json, IOUtils\nVARIABLES at, sum\n\
                  Log == ndJsonDeserialize(IOEnv.LOG)\nReaderInit == at = 1 /\\ sum = 0\n\
                  Take == at <= Len(Log) /\\ sum < 3 /\\ at' = at + 1 /\\ sum' = sum + Log[at].n\n\
                  AtEnd == <>(at > Len(Log))\n====\n";
    let family = "[module.reader.grain.plain]\nfile = \"Reader.tla\"\ninit = \"ReaderInit\"\nactions = ['Take']\n\
                  fairness = ['WF_vars(Take)']\n\n[[property]]\nname = \"AtEnd\"\nfile = \"Reader.tla\"\n\n\
                  [composition.all]\nreader = \"plain\"\ndeadlock = false\n";
    let sandbox = Sandbox::new()
        .file("Reader.tla", reader)
        .file("reader.toml", family)
        .file("good.ndjson", "{\"n\":1}\n{\"n\":2}\n")
        .file("bad.ndjson", "{\"n\":3}\n{\"n\":2}\n");
    sandbox.run("validate --spec reader.toml@all --log good.ndjson").ends_with(0);
    sandbox.run("validate --spec reader.toml@all --log bad.ndjson").ends_with(28);
}

/// A node that counts the seconds of its clock, and forgets them when it is started again.
const NODE: &str = r#"
import time
n = 0
while True:
    with open("count", "w") as file:
        file.write(str(n))
    time.sleep(1)
    n += 1
"#;

const SYSTEM: &str = r#"
[start]
command = ["python3", "{system}/node.py"]
[[node]]
name = "a"
address = "127.0.0.1:4311"
[observe.count]
file = "count"
"#;

const COUNTER: &str = r#"---- MODULE Counter ----
EXTENDS Naturals
VARIABLES up, count
CounterInit == up = TRUE /\ count = 0
Count == up /\ count < 3 /\ count' = count + 1
====
"#;

const FAULT: &str = r#"---- MODULE Fault ----
EXTENDS Counter
Crash == up /\ up' = FALSE
Restart == ~up /\ up' = TRUE /\ count' = 0
FewCounted == count < 2
====
"#;

const FAMILY: &str = r#"[module.counter.grain.plain]
file = "Counter.tla"
owns = ["up", "count"]
init = "CounterInit"
actions = ['Count']

[fault.crash]
file = "Fault.tla"
shares = ["up", "count"]
actions = ['Crash', 'Restart']

[[invariant]]
name = "FewCounted"
file = "Fault.tla"
needs = ["crash"]

[composition.all]
counter = "plain"
faults = ["crash"]
"#;

const MAPPING: &str = r#"
spec = "counter.toml@all"
nodes = '{"a"}'
begin = ["start all"]
[variables]
up = 'real.up["a"]'
count = 'IF real.up["a"] THEN real.count["a"] ELSE count'
[[action]]
name = "Count"
do = ["tick a"]
[[action]]
name = "Crash"
do = ["crash a"]
[[action]]
name = "Restart"
do = ["start a"]
"#;

fn counter() -> Sandbox {
    Sandbox::new()
        .file("counter/node.py", NODE)
        .file("counter/system.toml", SYSTEM)
        .file("counter/mapping.toml", MAPPING)
        .file("counter/Counter.tla", COUNTER)
        .file("counter/Fault.tla", FAULT)
        .file("counter/counter.toml", FAMILY)
}

fn staged(sandbox: &Sandbox, line: &str) -> Run {
    let temporary = sandbox.path().display().to_string();
    let run = sandbox.run_with(line, &[("PATH", "/usr/local/bin:/usr/bin:/bin"), ("TMPDIR", &temporary)]);
    check_nothing_is_left(sandbox);
    run
}

#[test]
fn a_program_is_held_against_a_composition() {
    let sandbox = counter();
    sandbox.run("check counter/counter.toml@all --trace two.itf.json").ends_with(12);
    let replayed = staged(&sandbox, "replay two.itf.json --system counter");
    replayed.says(0, &["confirmed: the program violates `FewCounted`, after 2 steps"]);
    let line = "conform counter/counter.toml@all --system counter --walks 4 --depth 6 --seed 1";
    staged(&sandbox, line).ends_with(0);
    // A program that counts by two parts from the specification at its first step.
    let sandbox = sandbox.file("counter/node.py", NODE.replace("n += 1", "n += 2"));
    staged(&sandbox, line).says(29, &["`count`"]);
}

#[test]
fn the_page_of_a_comparison_shows_both_sides() {
    let accepted = "\n[[accepted]]\ncompositions = [\"handover\"]\nactions = [\"Handover\"]\n\
                    reason = \"<b>nobody</b> looks\"\n";
    let sandbox = lock().file("lock.toml", example("lock.toml") + accepted).folder("profile");
    sandbox.run("compose lock.toml handover --target clients --html page.html").ends_with(31);
    let mut page = Browser::open(&sandbox.path().join("page.html"), &sandbox.path().join("profile"));
    let texts = |selector: &str| {
        format!("[...document.querySelectorAll('{selector}')].map(found => found.textContent.trim())")
    };
    let headings = page.eval(&texts("section h2"));
    let headings = headings.as_array().expect("a list");
    assert_eq!(headings.len(), 2, "{headings:?}");
    let with = |word: &str| headings.iter().filter(|one| one.to_string().contains(word)).count();
    assert_eq!((with("can take Expire here"), with("can take Handover here")), (1, 1), "{headings:?}");
    // What is accepted is a text, whatever is in it.
    assert_eq!(page.eval(&texts(".accepted")), json!(["accepted: <b>nobody</b> looks"]));
    // One cell for each difference says that a side cannot, in the last row of its table.
    let last = "[...document.querySelectorAll('table')].every(table => \
                table.querySelectorAll('.cannot').length === 1 && \
                table.rows[table.rows.length - 1].querySelector('.cannot') !== null)";
    assert_eq!(page.eval(last), true);
    let rows = "[...document.querySelectorAll('table')].every(table => \
                [...table.rows].every(row => row.cells.length === 3))";
    assert_eq!(page.eval(rows), true);
    // Steps that the target does not see are there, in parentheses.
    let hidden = page.eval(&texts("td .hidden"));
    assert!(hidden.to_string().contains("(Ask(c"), "{hidden}");
    let back = "getComputedStyle(document.body).backgroundColor";
    for width in [1280, 400] {
        page.look((width, 800), false);
        let light = page.eval(back);
        assert_eq!(page.eval("document.documentElement.scrollWidth <= innerWidth"), true, "{width} wide");
        page.look((width, 800), true);
        assert_ne!(page.eval(back), light);
    }
    assert_eq!(page.errors, Vec::<String>::new());
}

#[test]
fn a_check_goes_on_with_the_files_that_it_began_with() {
    let sandbox = lock();
    let line = "check lock.toml@fine --workers 1 -D MaxClock=10 -D Term=4 -D Clients={1,2,3} --format json";
    let answer = |text: &str| {
        let answer: Value = serde_json::from_str(text.lines().last().expect("an answer")).expect("JSON");
        (answer["verdict"].clone(), answer["counts"].clone())
    };
    let untouched = answer(sandbox.run(line).stdout());
    let mut child = sandbox.command(line).stdout(Stdio::piped()).spawn().expect("the program starts");
    let mut output = BufReader::new(child.stdout.take().expect("its output is a pipe"));
    let mut text = String::new();
    // Its initial states are known: it has read what it reads.
    while !text.contains("\"kind\":\"initial\"") {
        assert_ne!(output.read_line(&mut text).expect("its output can be read"), 0, "{text}");
    }
    std::fs::write(sandbox.path().join("Clients.tla"), "this is no module").expect("it can be written");
    output.read_to_string(&mut text).expect("its output can be read");
    child.wait().expect("the program ends");
    assert_eq!(answer(&text), untouched);
    assert_ne!(untouched.1, Value::Null);
}

#[test]
fn a_comparison_whose_files_change_has_no_answer() {
    let sandbox = lock();
    let line = "compose lock.toml handover --target clients --max-states 100 --walks 100000000 --time 3s";
    let mut command = sandbox.command(line);
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().expect("the program starts");
    let mut output = BufReader::new(child.stderr.take().expect("its errors are a pipe"));
    let mut text = String::new();
    // It has read what it reads.
    output.read_line(&mut text).expect("its errors can be read");
    assert_eq!(text, "Exploring both sides, for 3 s at most.\n");
    std::fs::write(sandbox.path().join("Crash.tla"), "this is no module").expect("it can be written");
    output.read_to_string(&mut text).expect("its errors can be read");
    assert!(text.contains("SL0897") && text.contains("Crash.tla"), "{text}");
    assert_ne!(child.wait().expect("the program ends").code(), Some(0));
}
