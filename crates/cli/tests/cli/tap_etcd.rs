//! A real cluster of etcd with relays between its members: everything that they say to each other can be read.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::Duration;

use base::{Clock, SystemClock};
use serde_json::Value;
use test_kit::EtcdCluster;

use crate::conform_public::run;
use crate::sandbox::Sandbox;
use crate::tap::{Running, terminate};

const SYSTEM: &str = r#"
[provision]
debian = ["etcd-server"]
[start]
command = ["true"]
[[node]]
name = "n1"
address = "127.0.0.1:7001"
"#;

/// How long something may take before the test fails.
const PATIENCE: Duration = Duration::from_secs(60);

/// Asks again until there is an answer.
#[track_caller]
fn wait_for<T>(what: &str, mut ask: impl FnMut() -> Option<T>) -> T {
    let clock = SystemClock::start();
    loop {
        if let Some(answer) = ask() {
            return answer;
        }
        assert!(clock.elapsed() < PATIENCE, "{what} takes too long");
        // Nobody sends an event for this: another process has to get on.
        let (_sender, receiver) = std::sync::mpsc::channel::<()>();
        let _ = receiver.recv_timeout(Duration::from_millis(50));
    }
}

/// Installs etcd; returns its program.
fn provision(sandbox: &Sandbox) -> PathBuf {
    run(sandbox, "stage provision etcd").says(0, &["installed"]);
    let found = Command::new("find").arg(sandbox.path()).args(["-path", "*/usr/bin/etcd"]).output();
    let found = String::from_utf8(found.expect("there is a find").stdout).expect("it is text");
    PathBuf::from(found.trim())
}

/// Returns a folder for a cluster, with what is to be installed.
fn sandbox() -> Sandbox {
    Sandbox::new().file("etcd/system.toml", SYSTEM)
}

/// Starts the relays.
fn tap(sandbox: &Sandbox, cluster: &EtcdCluster) -> Running {
    let mut command = sandbox.command("tap --into out");
    let options = cluster.relays();
    let mut child = command.args(&options).stderr(Stdio::piped()).spawn().expect("the program starts");
    let mut errors = BufReader::new(child.stderr.take().expect("it was asked for"));
    for _ in 0..options.len() / 2 {
        let mut line = String::new();
        errors.read_line(&mut line).expect("it says where it listens");
        assert!(line.starts_with("tap: listening"), "{line}");
    }
    child.stderr = Some(errors.into_inner());
    Running(child)
}

/// Writes and reads at all members, until they have answered so often.
fn load(cluster: &EtcdCluster, n: usize) {
    for number in 0..n * cluster.len() {
        wait_for("an answer", || (cluster.load(number, 1) == 1).then_some(()));
    }
}

/// Checks what a node has received and sent against what Raft says of logs: an entry with this index and term is the same everywhere.
fn check_log(events: &str, entries: &mut BTreeMap<(u64, u64), Value>) -> BTreeMap<String, u64> {
    let mut counts = BTreeMap::new();
    for line in events.lines() {
        let event: Value = serde_json::from_str(line).expect("each line is JSON");
        let message = &event["message"];
        let kind = message["type"].as_str().or(event["event"].as_str()).unwrap_or_default();
        *counts.entry(kind.to_owned()).or_default() += 1;
        assert_ne!(event["event"], "gap", "{line}");
        if kind != "MsgApp" {
            continue;
        }
        for (at, entry) in message["entries"].as_array().into_iter().flatten().enumerate() {
            let (index, term) = (entry["index"].as_u64(), entry["term"].as_u64());
            assert_eq!(index, message["index"].as_u64().map(|before| before + 1 + at as u64), "{line}");
            let key = (index.unwrap_or_default(), term.unwrap_or_default());
            assert_eq!(entries.entry(key).or_insert_with(|| entry.clone()), entry, "{line}");
        }
    }
    counts
}

fn stop(mut tap: Running) -> String {
    terminate(&tap.0);
    let mut told = String::new();
    let errors = tap.0.stderr.take();
    errors.expect("it was asked for").read_to_string(&mut told).expect("it is text");
    assert_eq!(tap.0.wait().expect("it ends").code(), Some(0), "{told}");
    told
}

#[test]
fn all_that_members_of_etcd_say_can_be_read() {
    let sandbox = sandbox();
    let program = provision(&sandbox);
    let mut cluster = EtcdCluster::new(&program, sandbox.path(), 3);
    let tap = tap(&sandbox, &cluster);
    (0..3).for_each(|at| cluster.start(at));
    load(&cluster, 4);
    let (leader, _) = wait_for("an election", || cluster.leader());
    wait_for("another leader", || cluster.transfer().then_some(()));
    load(&cluster, 3);
    let next = (leader + 1) % 3;
    cluster.kill(next);
    // The others go on.
    wait_for("a write", || (cluster.load(leader, 1) == 1).then_some(()));
    cluster.start(next);
    load(&cluster, 3);
    (0..3).for_each(|at| cluster.kill(at));
    let told = stop(tap);
    let mut entries = BTreeMap::new();
    for at in 0..3 {
        let counts = check_log(&sandbox.read(&format!("out/n{}.ndjson", at + 1)), &mut entries);
        assert_eq!(counts.get("restart"), (at == next).then_some(&1), "{counts:?}\n{told}");
        for kind in ["MsgApp", "MsgAppResp", "MsgHeartbeat", "MsgHeartbeatResp", "MsgVote", "MsgVoteResp"] {
            assert!(counts.get(kind).is_some_and(|n| *n > 1), "{kind}: {counts:?}");
        }
        assert!(counts.get("request").is_some_and(|n| *n > 1), "{counts:?}");
    }
    assert!(entries.len() > 15, "{}", entries.len());
    assert!(!told.contains("none of"), "{told}");
}
