//! The family of `specs/zookeeper`: the behaviours that are kept there are still behaviours, and still wrong;
//! planted errors are caught.
//!
//! `specline test specs/zookeeper` tests the findings of its models.

use std::path::{Path, PathBuf};

use crate::sandbox::Sandbox;

fn family() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../specs/zookeeper")
}

/// The files of the family with one of these ends, by name.
fn files(folder: &Path, ends: &[&str]) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).expect("the folder is there");
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("it can be listed").path()).collect();
    paths.retain(|path| ends.iter().any(|end| path.to_string_lossy().ends_with(end)));
    paths.sort();
    paths
}

fn name_of(path: &Path) -> String {
    path.file_name().expect("a file has a name").to_string_lossy().into_owned()
}

/// A folder with the modules and composition files of the family.
fn sandbox() -> Sandbox {
    files(&family(), &[".tla", ".cfg", ".toml"]).iter().fold(Sandbox::new(), |sandbox, path| {
        sandbox.file(&name_of(path), std::fs::read(path).expect("the file can be read"))
    })
}

/// The composition that a trace belongs to: that of its name, in the file that has it.
fn composition(trace: &str) -> String {
    let file = if trace == "zk-1419" { "election.toml" } else { "zookeeper.toml" };
    format!("{file}@{trace}")
}

#[test]
fn kept_behaviours_are_still_behaviours_and_still_wrong() {
    // How many steps REMIX and the older papers took to the same error, and what was violated.
    let cases = [
        ("zk-4643", 21, "InitialHistoryIntegrity"),
        ("zk-4646", 21, "InitialHistoryIntegrity"),
        ("zk-4685", 12, "NoBadAck"),
        ("zk-4712", 13, "HistoryConsistency"),
        ("zk-3023", 13, "NoBadState"),
        ("zk-4394", 20, "NoBadCommit"),
        ("zk-3911", 14, "LeaderLogCompleteness"),
        ("zk-3911-read", 18, "MonotonicRead"),
        ("zk-2845", 10, "ProcessConsistency"),
        ("zk-1419", 40, "VotesSettle"),
        ("pr-1848", 21, "InitialHistoryIntegrity"),
        ("pr-1930", 13, "NoBadAck"),
        ("pr-1993", 15, "NoBadState"),
        ("pr-2111", 15, "NoBadState"),
        ("ahead-of-disk", 16, "InitialHistoryIntegrity"),
        ("sync-shutdown", 13, "NoBadProposal"),
    ];
    let traces = files(&family().join("traces"), &[".itf.json"]);
    assert_eq!(traces.len(), cases.len(), "every trace has a line above");
    for (name, steps, property) in cases {
        let trace =
            std::fs::read(family().join(format!("traces/{name}.itf.json"))).expect("the trace is there");
        let run = sandbox()
            .file("trace.itf.json", trace)
            .run(&format!("check {} --load trace.itf.json", composition(name)));
        let last = run.stdout().lines().last().unwrap_or_default().to_owned();
        let state = last.strip_prefix("Still wrong, in state ").and_then(|rest| rest.split(':').next());
        let state: usize =
            state.and_then(|number| number.parse().ok()).unwrap_or_else(|| panic!("{}", run.stdout()));
        assert!(state <= steps + 1, "{name}: {state} states, {steps} steps at most");
        assert!(last.contains(&format!("`{property}` is violated")), "{name}: {last}");
    }
}

#[test]
fn half_of_the_servers_in_place_of_a_quorum_is_caught() {
    let run = sandbox().run("audit ZabInvariants.tla -c Four.cfg --only quorum --all");
    run.says(0, &["by `PrimaryUniqueness`, after 14 steps", "2 mutants: 2 caught by a property."]);
}
