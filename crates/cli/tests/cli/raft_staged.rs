//! The Raft of `examples/` on the stage, unmodified: scripts decide every step, and what the nodes logged is held
//! lookedst their specification.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::sandbox::{Run, Sandbox};

pub const MISTAKES: [&str; 9] = [
    "commit-beyond",
    "commit-old-term",
    "commit-on-nack",
    "forget-vote",
    "inaccurate-ack",
    "truncate-early",
    "vote-early",
    "vote-twice",
    "wrong-quorum",
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

pub fn example() -> PathBuf {
    root().join("examples/raft")
}

/// The folder with `raft-node`, which is built where our own program was.
pub fn programs() -> &'static Path {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    FOLDER.get_or_init(|| {
        let own = Path::new(env!("CARGO_BIN_EXE_specline")).parent().expect("programs are in a folder");
        let target = own.parent().expect("which is in cargo's");
        let mut cargo = Command::new(env!("CARGO"));
        cargo.args(["build", "--quiet", "--package", "raft", "--target-dir"]).arg(target);
        let status = cargo.current_dir(root()).status().expect("cargo, which runs this, can be run");
        assert!(status.success(), "the Raft does not compile");
        target.join("debug")
    })
}

/// Plays a script of the example; what it saves is in the sandbox.
fn play(script: &str, arguments: &str) -> Sandbox {
    let sandbox = Sandbox::new();
    let system = example().display().to_string();
    let path = format!("{}:/usr/bin:/bin", programs().display());
    let line = format!("stage {system} --script {system}/scripts/{script}.txt {arguments}");
    let run = sandbox.run_with(&line, &[("PATH", &path)]);
    assert_eq!(run.code(), Some(0), "{script}: {}", run.stderr());
    sandbox
}

fn validate(sandbox: &Sandbox, spec: &str, log: &str) -> Run {
    sandbox.run(&format!("validate --spec {} --log {log}", root().join(spec).display()))
}

const RAFT: &str = "examples/raft/RaftTrace.tla";
const STAGE: &str = "specs/stage/StageTrace.tla";

#[test]
fn elections_partitions_and_crashes_follow_the_specification() {
    for script in ["election", "partition", "crashes", "power", "disk"] {
        let sandbox = play(script, "");
        validate(&sandbox, RAFT, "run.log.ndjson").ends_with(0);
        // And so does the stage itself.
        validate(&sandbox, STAGE, "run.ndjson").ends_with(0);
    }
}

#[test]
fn each_mistake_is_provoked_and_rejected_and_without_it_the_run_is_right() {
    for mistake in MISTAKES {
        let script = format!("mistakes/{mistake}");
        validate(&play(&script, ""), RAFT, "run.log.ndjson").ends_with(0);
        validate(&play(&script, &format!("-- --bug {mistake}")), RAFT, "run.log.ndjson").ends_with(28);
    }
}

#[test]
fn a_saved_run_is_a_trace_that_can_be_shown_and_one_that_never_was_is_rejected() {
    let sandbox = play("mistakes/vote-twice", "");
    let shown = sandbox.run("trace show run.itf.json");
    assert_eq!(shown.code(), Some(0), "{}", shown.stderr());
    assert!(shown.stdout().contains("State 3: tick(n_times = 1, node = \"n1\")"), "{}", shown.stdout());
    let log = sandbox.read("run.ndjson");
    let (start, rest) = log.split_once('\n').expect("several events");
    // A clock that moves by itself, and messages that are sent while somebody only looks.
    let moved = format!("{}\n{rest}", start.replacen(r#""n2":{"s":0"#, r#""n2":{"s":1"#, 1));
    let looked = log.replacen(r#""event":"tick n2""#, r#""event":"held""#, 1);
    let looked = looked.replacen(r#"{"kind":"tick","node":"n2","n_times":1}"#, r#"{"kind":"held"}"#, 1);
    for wrong in [moved, looked] {
        assert_ne!(wrong, log);
        std::fs::write(sandbox.path().join("wrong.ndjson"), wrong).expect("files can be written");
        validate(&sandbox, STAGE, "wrong.ndjson").ends_with(28);
    }
}

/// `cargo xtask soak --stage 200` does this more often, and kills stages.
#[test]
fn forty_events_give_one_history_however_busy_the_machine_is() {
    let is_done = AtomicBool::new(false);
    let histories: Vec<String> = std::thread::scope(|scope| {
        scope.spawn(|| (0_u64..).take_while(|_| !is_done.load(Ordering::Relaxed)).count());
        let run = |_| {
            let sandbox = play("forty", "--log log.ndjson");
            sandbox.read("log.ndjson")
        };
        let histories = (0..10).map(run).collect();
        is_done.store(true, Ordering::Relaxed);
        histories
    });
    assert_eq!(histories[0].lines().count(), 40);
    for other in &histories[1..] {
        let differ = histories[0].lines().zip(other.lines()).find(|(one, other)| one != other);
        assert_eq!(differ, None);
    }
}

#[test]
fn every_mistake_has_its_script() {
    let scripts = std::fs::read_dir(example().join("scripts/mistakes")).expect("the folder is there");
    let mut names: Vec<String> = scripts
        .map(|entry| entry.expect("it can be read").file_name().display().to_string())
        .map(|name| name.trim_end_matches(".txt").to_owned())
        .collect();
    names.sort();
    assert_eq!(names, MISTAKES);
}
