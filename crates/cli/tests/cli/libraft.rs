//! libraft from Debian, built into a small program, held against its specification.

use crate::conform_public::{provisioned, run};

#[test]
fn libraft_does_what_its_specification_says_mistakes_included() {
    let sandbox = provisioned("libraft");
    let config = "specs/libraft/Lost.cfg";
    let check = format!("check specs/libraft/LibRaft.tla -L specs/network -c {config} --trace lost.itf.json");
    assert_eq!(run(&sandbox, &check).code(), Some(12));
    let replay = run(&sandbox, &format!("replay lost.itf.json --system libraft -c {config}"));
    replay.says(0, &["confirmed: the program violates `LeaderCompleteness`, after 23 steps"]);
    let walks = "conform specs/libraft/LibRaft.tla -c specs/libraft/Walks.cfg --system libraft --settings specs/libraft/walks.toml \
         --depth 40";
    let faults = "-D MaxCuts=2 -D MaxCrashes=2 -D MaxPowerFailures=2 -D MaxTears=2";
    let crashed = run(&sandbox, &format!("{walks} --walks 2 --seed 5 {faults}"));
    crashed.says(0, &["the program conforms; 2 walks, 2 of them to the end, 80 steps compared"]);
    // Snapshots are made, and sent to who was cut off.
    let snapshots = "-D Threshold=2 -D Trailing=1 -D MaxCuts=4 -D MaxHeartbeats=40 --weight Heartbeat=6";
    let sent = run(&sandbox, &format!("{walks} --walks 2 --seed 7 {snapshots}"));
    sent.says(0, &["the program conforms; 2 walks, 2 of them to the end, 80 steps compared"]);
}
