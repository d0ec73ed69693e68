//! Two public programs from PyPI held against their specifications: PySyncObj over TCP, RaftOS over UDP.

use std::path::Path;

use crate::sandbox::{Run, Sandbox};
use crate::stage_ends::check_nothing_is_left;

/// A sandbox with links to what the repository has, and the program provisioned in it.
pub fn provisioned(system: &str) -> Sandbox {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let sandbox = Sandbox::new();
    for folder in ["specs", "systems"] {
        let target = root.join(folder).canonicalize().expect("the repository has it");
        std::os::unix::fs::symlink(target, sandbox.path().join(folder)).expect("links can be made");
    }
    run(&sandbox, &format!("stage provision {system}")).says(0, &["installed"]);
    sandbox
}

/// Runs it with the folders of nodes in the sandbox, where nothing of them is left.
#[track_caller]
pub fn run(sandbox: &Sandbox, line: &str) -> Run {
    let [cache, temporary] =
        [sandbox.path().join("cache"), sandbox.path().to_owned()].map(|path| path.display().to_string());
    let path = "/usr/local/bin:/usr/bin:/bin";
    let run = sandbox.run_with(line, &[("XDG_CACHE_HOME", &cache), ("TMPDIR", &temporary), ("PATH", path)]);
    check_nothing_is_left(sandbox);
    run
}

#[test]
fn pysyncobj_does_what_its_specification_says_mistakes_included() {
    let sandbox = provisioned("pysyncobj");
    let config = "specs/pysyncobj/CommitMonotonic.cfg";
    let check =
        format!("check specs/pysyncobj/PySyncObj.tla -L specs/network -c {config} --trace bug.itf.json");
    assert_eq!(run(&sandbox, &check).code(), Some(13));
    let replay = run(&sandbox, &format!("replay bug.itf.json --system pysyncobj -c {config} --times 3"));
    replay.says(0, &["confirmed: the program violates `CommitMonotonic`", "3 of 3 runs ended so"]);
    let other = run(&sandbox, "replay bug.itf.json --system pysyncobj -c specs/pysyncobj/MatchMonotonic.cfg");
    other.says(30, &["the trace is said to violate `CommitMonotonic`"]);
    let bounds = "-D Repairs={} -D MaxElections=12 -D MaxRequests=12 -D MaxHeartbeats=12 -D MaxUnderWay=12";
    let walks = run(
        &sandbox,
        &format!("conform specs/pysyncobj/PySyncObj.tla --system pysyncobj --traces 4 {bounds}"),
    );
    walks.says(0, &["the program conforms; 4 walks, 4 of them to the end"]);
    // Nothing of its journal is synced in any release.
    let config = "specs/pysyncobj/Power.cfg";
    let check =
        format!("check specs/pysyncobj/PySyncObj.tla -L specs/network -c {config} --trace power.itf.json");
    assert_eq!(run(&sandbox, &check).code(), Some(12));
    let replay = run(&sandbox, &format!("replay power.itf.json --system pysyncobj -c {config}"));
    replay.says(0, &["confirmed: the program violates `ElectionSafety`, after 8 steps"]);
    let unprovisioned = run(&sandbox, "replay bug.itf.json --system pysyncobj --set version=0.0.1");
    unprovisioned.says(24, &["is not provisioned", "specline stage provision pysyncobj --set version=0.0.1"]);
}

#[test]
fn raftos_does_what_its_specification_says_mistakes_included() {
    let sandbox = provisioned("raftos");
    let config = "specs/raftos/MatchMonotonic.cfg";
    let check = format!("check specs/raftos/RaftOS.tla -L specs/network -c {config} --trace bug.itf.json");
    assert_eq!(run(&sandbox, &check).code(), Some(13));
    let replay = run(&sandbox, &format!("replay bug.itf.json --system raftos -c {config} --times 2"));
    replay.says(0, &["confirmed: the program violates `MatchMonotonic`", "2 of 2 runs ended so"]);
    let bounds = "-D Repairs={} -D MaxElections=1 -D MaxGiveUps=0 -D MaxRequests=12 -D MaxHeartbeats=30 \
                  -D MaxLosses=0 -D MaxCopies=12 -D MaxUnderWay=20";
    let walks =
        run(&sandbox, &format!("conform specs/raftos/RaftOS.tla --system raftos --traces 3 {bounds}"));
    walks.says(0, &["the program conforms; 3 walks, 3 of them to the end, 120 steps compared"]);
    // With more elections, losses and crashes a leader comes by an answer that its handler cannot read. All else agrees.
    let bounds = "-D Repairs={} -D MaxElections=12 -D MaxGiveUps=6 -D MaxRequests=12 -D MaxHeartbeats=12 \
                  -D MaxLosses=6 -D MaxCopies=12 -D MaxCrashes=3 -D MaxUnderWay=20";
    let walks = run(
        &sandbox,
        &format!(
            "conform specs/raftos/RaftOS.tla -c specs/raftos/CommittedIsDurable.cfg --system raftos --traces 4 \
             --seed 4 --depth 60 --minimise off --settings specs/raftos/walks.toml {bounds}"
        ),
    );
    walks.says(29, &["1. alarm: KeyError: 'request_id' (", "1 kind of divergence; 4 walks,"]);
}
