//! A recording of one member of a real etcd cluster, and the same with the mistakes of etcd's past edited in.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::sandbox::{Run, Sandbox};

const MONITOR: &str = "monitor Etcd.tla -c Monitor.cfg --map monitor.toml --node n3 --input run.ndjson";

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../specs/etcd")
}

fn recorded() -> Vec<Value> {
    let text = std::fs::read_to_string(folder().join("runs/n3.ndjson")).expect("the recording is there");
    text.lines().map(|line| serde_json::from_str(line).expect(line)).collect()
}

fn watch(events: &[Value]) -> Run {
    let lines: Vec<String> = events.iter().map(ToString::to_string).collect();
    let mut sandbox = Sandbox::new().file("run.ndjson", lines.join("\n"));
    for name in ["Etcd.tla", "Monitor.cfg", "monitor.toml"] {
        sandbox = sandbox.file(name, std::fs::read(folder().join(name)).expect("the folder has it"));
    }
    sandbox.run(MONITOR)
}

/// Returns the place of the first event of a kind from `start` on whose message has these fields.
fn find(events: &[Value], start: usize, (event, fields): (&str, Value)) -> usize {
    let has_fields = |message: &Value| {
        fields.as_object().is_some_and(|fields| fields.iter().all(|(name, value)| &message[name] == value))
    };
    let is_it = |at: &usize| events[*at]["event"] == event && has_fields(&events[*at]["message"]);
    (start..events.len()).find(is_it).expect("the recording has such a message")
}

/// Watches up to the message at a place, which must be what the alarm is about.
fn alarm_at(events: &[Value], at: usize) {
    let run = watch(&events[..=at]);
    run.ends_with(32);
    let told = format!("cannot have sent the message of line {} to", at + 1);
    assert!(run.stdout().contains(&told), "{}", run.stdout());
}

#[test]
fn a_member_of_etcd_follows_its_protocol() {
    let run = watch(&recorded());
    run.ends_with(0);
    assert!(run.stdout().contains("alarms: 0, undecided: 0"), "{}", run.stdout());
}

/// etcd-io/etcd 741: a leader answers a read, and no quorum has answered its heartbeats since.
#[test]
fn an_answer_to_a_client_without_a_round_of_heartbeats_is_an_alarm() {
    let mut events = recorded();
    let from = find(&events, 0, ("out", json!({ "type": "MsgApp" })));
    let round =
        |event, kind| (event, json!({ "type": kind, "to": if event == "out" { "n2" } else { "n3" } }));
    let asked = find(&events, from, ("in", json!({ "type": "Range" })));
    let heartbeat = find(&events, asked, round("out", "MsgHeartbeat"));
    events.remove(heartbeat);
    let answered = find(&events, asked, round("in", "MsgHeartbeatResp"));
    events.remove(answered);
    alarm_at(&events, find(&events, asked, ("out", json!({ "type": "RangeResp" }))));
}

/// etcd-io/etcd 7331: a leader begins to confirm a read before it committed an entry of its term.
#[test]
fn a_read_before_the_first_commit_of_a_term_is_an_alarm() {
    let mut events = recorded();
    let first = find(&events, 0, ("out", json!({ "type": "MsgApp" })));
    let asked = find(&events, first, ("in", json!({ "type": "Range" })));
    let heartbeat = find(&events, asked, ("out", json!({ "type": "MsgHeartbeat" })));
    let moved = events.remove(heartbeat);
    events.insert(first + 1, moved);
    alarm_at(&events, first + 1);
}

/// etcd-io/etcd 7280: a server leads without the votes of a quorum, because it counted those of an old configuration.
#[test]
fn a_leader_without_votes_is_an_alarm() {
    let mut events = recorded();
    let vote = find(&events, 0, ("in", json!({ "type": "MsgVoteResp", "reject": false })));
    events.remove(vote);
    alarm_at(&events, find(&events, vote, ("out", json!({ "type": "MsgApp" }))));
}

/// etcd-io/etcd 12133: the same, of a server that was told to stand at once.
#[test]
fn a_leader_without_votes_after_a_transfer_is_an_alarm() {
    let recorded = recorded();
    let asks = find(&recorded, 0, ("out", json!({ "type": "MsgVote", "term": 3 })));
    let leads = find(&recorded, asks, ("out", json!({ "type": "MsgApp" })));
    let told = json!({ "event": "in", "connection": "n1/message", "message": {
        "type": "MsgTimeoutNow", "from": "n1", "to": "n3", "term": 2, "logTerm": 0, "index": 0,
        "entries": [], "commit": 0, "reject": false, "rejectHint": 0, "context": "" } });
    let mut ask = recorded[asks].clone();
    ask["message"]["context"] = json!("Q2FtcGFpZ25UcmFuc2Zlcg==");
    let mut append = recorded[leads].clone();
    append["message"]["term"] = json!(3);
    append["message"]["entries"][0]["term"] = json!(3);
    let mut events = recorded[..asks].to_vec();
    events.extend([told, ask, append]);
    watch(&events[..=asks + 1]).ends_with(0);
    alarm_at(&events, asks + 2);
}

/// Edits that a network, or the queues of etcd, may make.
#[test]
fn lost_repeated_and_reordered_messages_raise_no_alarm() {
    let recorded = recorded();
    let append = find(&recorded, 20, ("out", json!({ "type": "MsgAppResp" })));
    let heartbeat = find(&recorded, 20, ("in", json!({ "type": "MsgHeartbeat" })));
    let ack = find(&recorded, 90, ("in", json!({ "type": "MsgAppResp" })));
    let mut lost = recorded.clone();
    lost.remove(append);
    let mut repeated = recorded.clone();
    repeated.insert(ack + 1, recorded[ack].clone());
    let mut earlier = recorded.clone();
    assert_eq!(recorded[heartbeat - 1]["event"], "out");
    earlier.swap(heartbeat - 1, heartbeat);
    for events in [lost, repeated, earlier] {
        watch(&events).ends_with(0);
    }
}

#[test]
fn the_monitor_of_etcd_explains_what_its_specification_does() {
    let run = {
        let mut sandbox = Sandbox::new();
        for name in ["Etcd.tla", "MonitorWalks.cfg", "monitor.toml"] {
            sandbox = sandbox.file(name, std::fs::read(folder().join(name)).expect("the folder has it"));
        }
        sandbox.run(
            "monitor test Etcd.tla -c MonitorWalks.cfg --map monitor.toml --walks 40 --depth 40 --seed 3",
        )
    };
    run.ends_with(0);
    assert!(run.stdout().contains("0 false alarms, 0 undecided"), "{}", run.stdout());
}
