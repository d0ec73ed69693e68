//! Servers of ZooKeeper as Debian packages them, three at a time, and errors of theirs.

use crate::conform_public::{provisioned, run};

#[test]
fn zookeeper_commits_and_loses_what_it_acknowledged() {
    let sandbox = provisioned("zookeeper");
    let play = |script: &str, more: &str| {
        run(&sandbox, &format!("stage zookeeper --script systems/zookeeper/scripts/{script}.txt{more}"))
    };
    for log in ["one", "two"] {
        let played = play("commit", &format!(" --log {log}.ndjson"));
        played.says(0, &["z3| ", "Peer state changed: leading - broadcast", "client create z1 a x: "]);
        assert!(!played.stdout().contains("is not controlled"), "{}", played.stdout());
    }
    let [one, two] = ["one", "two"].map(|log| {
        std::fs::read_to_string(sandbox.path().join(format!("{log}.ndjson"))).expect("it is there")
    });
    assert!(one == two, "the same script gives the same record:\n{one}\n{two}");
    // The scripts say themselves what must be seen.
    play("zk-4394", "").says(0, &["NullPointerException"]);
    play("zk-4646", "").says(0, &["z2 held before the write to data/version-2/log.100000001"]);
    let lost = play("zk-4643", "");
    lost.says(0, &["z1 killed after the rename of data/version-2/currentEpoch.tmp", "Truncating log"]);
    // Threads are held at points of the servers' code.
    play("zk-4685", "").says(0, &["z2 held at ack: thread QuorumPeer[myid=2]"]);
    play("zk-4712", "").says(0, &["z1 held at log: thread SyncThread:1"]);
    play("zk-3023", "").says(0, &["z2 held at apply: thread CommitProcessor:2"]);
}

/// Traces of the specification, carried out on real servers: two known errors, and what only the values of the servers can show.
#[test]
fn traces_of_the_specification_are_confirmed_by_servers() {
    let sandbox = provisioned("zookeeper");
    let replay = |name: &str| {
        let trace = format!("specs/zookeeper/traces/{name}.itf.json");
        let spec = format!("specs/zookeeper/zookeeper.toml@{name}");
        run(&sandbox, &format!("replay {trace} --spec {spec} --system zookeeper"))
    };
    replay("zk-4643").says(
        0,
        &[
            "confirmed: the program violates `InitialHistoryIntegrity`, after 19 steps",
            "history = (0 :> <<101, 102>> @@ 1 :> <<101>> @@ 2 :> <<101>>)",
        ],
    );
    // The threads of a follower are held at points of the code.
    replay("zk-4712").says(0, &["confirmed: the program violates `HistoryConsistency`, after 10 steps"]);
    replay("zk-4394")
        .says(0, &["confirmed: the program violates `NoBadCommit`, after 15 steps", "alarms = {\"I-14\"}"]);
    // Steps that agree confirm nothing where the mapping takes over what is violated.
    replay("sync-shutdown").says(30, &["the values of the program do not decide `NoBadProposal`"]);
}
