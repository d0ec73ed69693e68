//! Three real nodes on loopback: they elect a leader, keep what they answered `ok` to, and log every step.

use std::collections::BTreeSet;

use crate::nodes::{Cluster, NAMES, Patience};

fn started(name: &str) -> Cluster {
    let mut cluster = Cluster::new(name, &[]);
    NAMES.iter().for_each(|node| cluster.run(node, Patience::Short));
    cluster
}

#[test]
fn values_survive_the_leader() {
    let mut cluster = started("survive");
    assert_eq!(cluster.ask("put colour red"), "ok");
    assert_eq!(cluster.ask("put colour blue"), "ok");
    assert_eq!(cluster.ask("put shape round"), "ok");
    let first = cluster.leader();
    cluster.kill(&first);
    assert_eq!(cluster.ask("get colour"), "value blue");
    let second = cluster.leader();
    assert_ne!(first, second);
    cluster.run(&first, Patience::Short);
    assert_eq!(cluster.ask("put shape square"), "ok");
    cluster.kill(&second);
    assert_eq!(cluster.ask("get shape"), "value square");
    assert_eq!(cluster.ask("get colour"), "value blue");
    assert_eq!(cluster.ask("get nothing"), "none");
    logs_are_whole(&cluster);
}

/// As if the node had been killed when its vote was on disk and in no log yet.
#[test]
fn an_event_that_a_crash_kept_out_of_the_log_is_made_up_for() {
    let mut cluster = Cluster::new("made-up", &[]);
    cluster.run("n2", Patience::Endless);
    cluster.run("n1", Patience::Short);
    cluster.await_leader("n1");
    cluster.stop();
    let before = cluster.events("n2");
    let vote = before.iter().position(|event| event["event"] == "handle-ask").expect("n2 has voted");
    cluster.tear_log("n2", vote);
    cluster.run("n2", Patience::Endless);
    cluster.await_event("n2", "start", |event| event["seq"].as_u64() > Some(1));
    let after = cluster.events("n2");
    assert_eq!(after[..=vote], before[..=vote]);
    assert_eq!(after[vote + 1]["event"], "start");
    assert_eq!(after[vote + 1]["votedFor"], "n1");
}

#[test]
fn whoever_asks_for_nonsense_is_told_what_there_is() {
    let cluster = started("nonsense");
    assert_eq!(cluster.ask("push colour red"), "error: put KEY VALUE, get KEY, or status");
}

#[track_caller]
fn logs_are_whole(cluster: &Cluster) {
    let mut kinds = BTreeSet::new();
    for node in NAMES {
        let (mut seq, mut clock) = (0, 0);
        for event in cluster.events(node) {
            assert_eq!(event["node"], node, "{event}");
            assert_eq!(event["seq"], seq + 1, "{event}");
            seq += 1;
            let at = event["clock"].as_u64().expect("a clock is a number");
            assert!(at > clock, "{event}");
            clock = at;
            assert!(event["commit"].as_u64() <= event["last"].as_u64(), "{event}");
            kinds.insert(event["event"].as_str().expect("a kind is a text").to_owned());
        }
    }
    let expected = [
        "start",
        "timeout",
        "step-down",
        "handle-ask",
        "handle-vote",
        "become-leader",
        "client-request",
        "send-append",
        "handle-append",
        "handle-reply",
        "advance-commit",
    ];
    assert_eq!(kinds, expected.map(str::to_owned).into());
}
