//! Members of etcd as Debian packages it, a program in Go: kept under control by their system calls.

use crate::conform_public::{provisioned, run};

#[test]
fn members_of_etcd_elect_and_a_leader_that_is_cut_off_answers_no_linearizable_read() {
    let sandbox = provisioned("etcd");
    let play = |script: &str, log: &str| {
        let line = format!("stage etcd --script systems/etcd/scripts/{script}.txt --log {log}.ndjson");
        let played = run(&sandbox, &line);
        let record =
            std::fs::read_to_string(sandbox.path().join(format!("{log}.ndjson"))).expect("it is there");
        (played, record)
    };
    // The scripts say themselves who must have been elected.
    let (one, first) = play("election", "one");
    one.says(0, &["client get e2 Zm9v: {\"header\":", "\"value\":\"YmFy\"}],\"count\":\"1\"}"]);
    let (_, second) = play("election", "two");
    assert!(first == second, "the same script gives the same record:\n{first}\n{second}");

    let (cut, _) = play("cut-leader", "cut");
    // A new value at the new leader, and the old one where the old leader answers by itself.
    cut.says(
        0,
        &[
            "\"value\":\"YmF6\"}],\"count\":\"1\"}",
            "\"value\":\"YmFy\"}],\"count\":\"1\"}",
            "running behind system calls",
        ],
    );
    let answers: Vec<&str> =
        cut.stdout().lines().filter_map(|line| line.strip_prefix("client get e1 Zm9v: ")).collect();
    assert_eq!(answers.first(), Some(&"HTTP/1.1 503 Service Unavailable"), "{}", cut.stdout());
    assert!(answers.iter().any(|line| line.contains("etcdserver: request timed out")), "{answers:?}");
}

#[test]
fn members_of_etcd_do_what_their_specification_says() {
    let sandbox = provisioned("etcd");
    let line = "conform specs/etcd/EtcdSteps.tla -c specs/etcd/EtcdSteps.cfg --system etcd --walks 2 \
                --depth 30 --seed 14";
    run(&sandbox, line)
        .says(0, &["the program conforms; 2 walks, 2 of them to the end", "Not compared: base"]);
}
