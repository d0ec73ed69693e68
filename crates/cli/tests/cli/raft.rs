//! Logs of the Raft of `examples/`, recorded from real nodes, against its specification.

use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::sandbox::{Run, Sandbox};

fn example() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/raft")
}

/// The lines of all nodes of a recorded run, by `clock`, then by `node`.
fn merged(name: &str) -> Vec<Value> {
    let files =
        ["n1", "n2", "n3"].map(|node| example().join("logs").join(name).join(format!("{node}.ndjson")));
    let texts = files.iter().filter_map(|path| std::fs::read_to_string(path).ok());
    let mut events: Vec<Value> = texts
        .flat_map(|text| text.lines().map(ToOwned::to_owned).collect::<Vec<String>>())
        .map(|line| serde_json::from_str(&line).expect(&line))
        .collect();
    events.sort_by_key(|event| (event["clock"].as_u64(), event["node"].as_str().map(ToOwned::to_owned)));
    events
}

fn check(events: &[Value]) -> Run {
    let lines: Vec<String> = events.iter().map(ToString::to_string).collect();
    let mut sandbox = Sandbox::new().file("run.ndjson", lines.join("\n"));
    for name in ["Raft.tla", "RaftTrace.tla", "RaftTrace.cfg"] {
        sandbox = sandbox.file(name, std::fs::read(example().join(name)).expect("the example has it"));
    }
    sandbox.run_with("check RaftTrace.tla", &[("LOG", "run.ndjson")])
}

#[test]
fn runs_of_the_right_raft_are_behaviours_of_its_specification() {
    for name in ["leaders-killed", "diverged", "loose-end"] {
        let events = merged(name);
        assert!(events.len() > 40, "{name}: {} events", events.len());
        check(&events).ends_with(0);
    }
}

#[test]
fn runs_with_a_mistake_are_refused_at_the_event_that_makes_it() {
    let mistakes = [
        ("commit-on-nack", "handle-reply", 59),
        ("commit-old-term", "advance-commit", 29),
        ("truncate-early", "handle-append", 57),
        ("inaccurate-ack", "handle-append", 57),
        ("wrong-quorum", "handle-vote", 23),
        ("vote-early", "handle-ask", 28),
        ("vote-twice", "handle-ask", 42),
        ("forget-vote", "start", 12),
        ("commit-beyond", "handle-append", 63),
    ];
    for (name, kind, line) in mistakes {
        let events = merged(name);
        assert_eq!(events[line - 1]["event"], kind, "{name}");
        let run = check(&events);
        run.ends_with(10);
        assert!(run.stdout().contains(&format!(", depth {line}.")), "{name}: {}", run.stdout());
        check(&events[..line - 1]).ends_with(0);
    }
}

#[test]
fn one_altered_field_is_refused() {
    let mut events = merged("leaders-killed");
    let at =
        events.iter().rposition(|event| event["event"] == "handle-append").expect("a leader sent entries");
    let last = events[at]["last"].as_u64().expect("a number");
    events[at]["last"] = (last + 1).into();
    check(&events).ends_with(10);
}
