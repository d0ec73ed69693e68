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

/// A folder with the specification, its mapping and the logs of a run.
fn mapped(name: &str) -> Sandbox {
    let mut sandbox = Sandbox::new();
    for file in ["Raft.tla", "RaftMap.cfg", "raft-map.toml"] {
        sandbox = sandbox.file(file, std::fs::read(example().join(file)).expect("the example has it"));
    }
    for node in ["n1", "n2", "n3"] {
        if let Ok(text) = std::fs::read(example().join("logs").join(name).join(format!("{node}.ndjson"))) {
            sandbox = sandbox.file(&format!("run/{node}.ndjson"), text);
        }
    }
    sandbox
}

const MAPPED: &str = "validate Raft.tla -c RaftMap.cfg --map raft-map.toml --log run";

#[test]
fn a_mapping_explains_runs_of_the_right_raft() {
    for name in ["leaders-killed", "diverged", "loose-end"] {
        let run = mapped(name).run(MAPPED);
        run.ends_with(0);
        let n_events = merged(name).len();
        assert!(run.stdout().contains(&format!("explains {n_events} events.")), "{name}: {}", run.stdout());
    }
}

/// The report of a run with a mistake.
struct Blamed {
    run: &'static str,
    /// How many events come before the one that makes the mistake.
    n_before: usize,
    action: &'static str,
    /// The part that is FALSE.
    text: &'static str,
    /// The values that disagree: what the specification has there, and what the log says.
    values: [(&'static str, &'static str); 2],
}

/// Each mistake, where the README says that it shows.
fn blamed() -> Vec<Blamed> {
    let reply = |run, n_before, action, has: &'static str, says: &'static str| Blamed {
        run,
        n_before,
        action,
        text: "Last(net[event.node][event.from]) = event.reply",
        values: [("Last(net[event.node][event.from])'", has), ("event.reply", says)],
    };
    vec![
        Blamed {
            run: "commit-on-nack",
            n_before: 58,
            action: "HandleReply",
            text: "matchIndex[event.node][event.from] = event.match",
            values: [("matchIndex[event.node][event.from]'", "0"), ("event.match", "1")],
        },
        Blamed {
            run: "commit-old-term",
            n_before: 28,
            action: "AdvanceCommit",
            text: "log[i][n].term = term[i]",
            values: [("log[i][n].term", "1"), ("term[i]", "2")],
        },
        Blamed {
            run: "truncate-early",
            n_before: 56,
            action: "HandleAppend",
            text: "Len(log[event.node]) = event.last",
            values: [("Len(log[event.node])'", "2"), ("event.last", "1")],
        },
        reply("inaccurate-ack", 56, "HandleAppend", "match |-> 1", "match |-> 2"),
        Blamed {
            run: "wrong-quorum",
            n_before: 22,
            action: "HandleVote",
            text: "votes[event.node] = Range(event.votes)",
            values: [("votes[event.node]'", "{\"n1\"}"), ("Range(event.votes)", "{\"n1\", \"n2\"}")],
        },
        reply("vote-early", 27, "HandleAsk", "granted |-> FALSE", "granted |-> TRUE"),
        reply("vote-twice", 41, "HandleAsk", "granted |-> FALSE", "granted |-> TRUE"),
        Blamed {
            run: "forget-vote",
            n_before: 11,
            action: "Start",
            text: "term[event.node] = event.term",
            values: [("term[event.node]'", "1"), ("event.term", "0")],
        },
        Blamed {
            run: "commit-beyond",
            n_before: 62,
            action: "HandleAppend",
            text: "commit[event.node] = event.commit",
            values: [("commit[event.node]'", "1"), ("event.commit", "2")],
        },
    ]
}

#[test]
fn a_mapping_names_the_action_and_the_value_of_each_mistake() {
    for Blamed { run: name, n_before, action, text, values } in blamed() {
        let run = mapped(name).run(&format!("{MAPPED} --format json"));
        run.ends_with(28);
        let last = run.stdout().lines().last().expect("an object");
        let told: Value = serde_json::from_str(last).expect(last);
        assert_eq!((&told["verdict"], &told["explained"]), (&"rejected".into(), &n_before.into()), "{name}");
        let near = &told["misses"][0];
        let is_by = near["action"].as_str().is_some_and(|told| told.starts_with(&format!("{action}(")));
        assert!(is_by, "{name}: {near}");
        assert_eq!(near["text"], text, "{name}: {near}");
        for (value_name, expected) in values {
            let all = near["values"].as_array().expect("values");
            let value =
                all.iter().find(|value| value["name"] == value_name).unwrap_or_else(|| panic!("{near}"));
            let value = value["value"].as_str().expect("a text");
            let is_it = if expected.contains("|->") { value.contains(expected) } else { value == expected };
            assert!(is_it, "{name}: {value_name} is {value}, not {expected}");
        }
    }
}

/// Who sends and receives what, in place of the clock.
const BY_MESSAGES: &str = r#"by = "messages"
duplicates = false

[[order.send]]
kind = "timeout"
keys = '{<<event.node, j, event.msg>> : j \in Server}'

[[order.send]]
kind = "send-append"
key = "<<event.node, event.to, event.msg>>"

[[order.send]]
kind = ["handle-ask", "handle-append"]
key = "<<event.node, event.from, event.reply>>"

[[order.receive]]
kind = ["handle-ask", "handle-append", "handle-vote", "handle-reply"]
key = "<<event.from, event.node, event.msg>>"
"#;

#[test]
fn messages_alone_order_the_events_of_several_nodes() {
    let by_clock = "by = \"fields\"\nfields = [\"clock\", \"node\"]\n";
    let map = std::fs::read_to_string(example().join("raft-map.toml")).expect("the example has it");
    assert!(map.contains(by_clock), "{map}");
    let map = map.replace(by_clock, BY_MESSAGES);
    for name in ["leaders-killed", "diverged", "loose-end"] {
        mapped(name).file("raft-map.toml", &map).run(MAPPED).ends_with(0);
    }
    for Blamed { run: name, .. } in blamed() {
        mapped(name).file("raft-map.toml", &map).run(MAPPED).ends_with(28);
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
