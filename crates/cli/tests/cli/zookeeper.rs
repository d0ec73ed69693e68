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
        ("late-queue", 17, "InitialHistoryIntegrity"),
        ("sync-shutdown", 13, "NoBadProposal"),
        ("log-ahead", 14, "HistoryConsistency"),
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

/// The planted error of "Leveraging TLA+ Specifications to Improve the Reliability of the ZooKeeper Coordination Service",
/// §3.2: half of the servers are a quorum. It shows where their number is even, and there alone.
#[test]
fn half_of_the_servers_in_place_of_a_quorum_is_caught_where_their_number_is_even() {
    let audit = |servers: &str| {
        sandbox().run(&format!("audit ZabInvariants.tla -c Four.cfg -D Server={servers} --only quorum --all"))
    };
    audit("{0,1}").says(0, &["by `PrimaryUniqueness`, after 4 steps", "2 mutants: 2 caught by a property."]);
    audit("{0,1,2,3}")
        .says(0, &["by `PrimaryUniqueness`, after 14 steps", "2 mutants: 2 caught by a property."]);
    for odd in ["{0,1,2}", "{0,1,2,3,4}"] {
        let run = audit(odd);
        // The second mutant takes the lesser half.
        run.says(0, &["2 mutants: 1 caught by a property, 1 the same as before."]);
        let (_, same) = run.stdout().split_once("The same as before:").expect("one is the same");
        assert!(same.contains(">= Cardinality(Server)\n"), "{}", run.stdout());
    }
}

/// The errors that the same paper tells of in the first version of its own specification: how a leader answers a
/// follower that comes back between the logging and the sending of a transaction, and what it takes for a quorum.
#[test]
fn errors_of_the_first_specification_are_caught() {
    let apart = "-D LogsApart=TRUE -D MaxTimeouts=0 -D MaxEpoch=1 -D MaxTransactions=2";
    let cases = [
        (apart, "f \\notin informed[l] becomes TRUE", "HistoryConsistency"),
        (apart, "update skipped: informed' = [informed EXCEPT ![l] = IF", "HistoryConsistency"),
        ("-c Four.cfg -D MaxTimeouts=1", "conjunct left out: IsQuorum({l})", "PrimaryUniqueness"),
    ];
    let sandbox = sandbox();
    for (model, change, property) in cases {
        let list = sandbox.run(&format!("audit ZabInvariants.tla {model} --list"));
        let line = list.stdout().lines().find(|line| line.contains(change));
        let number = line.and_then(|line| line.strip_prefix('#')?.split(' ').next());
        let number = number.unwrap_or_else(|| panic!("{change}: {}", list.stdout()));
        let run = sandbox.run(&format!("audit ZabInvariants.tla {model} --mutant {number} --all"));
        // The exit code is about what is idle in so small a model as well.
        assert!(run.stdout().contains(&format!("Caught first by: `{property}` 1.")), "{}", run.stdout());
    }
}

/// Checks what a monitor of one server relies on: a step of a server concerns its own variables.
#[test]
fn a_step_concerns_one_server() {
    let walks = "simulate zookeeper.toml@local --walks 40 --depth 80 --seed 1 --workers 1";
    sandbox().run(walks).says(0, &["No error was found in 40 walks."]);
    // A leader that looks at a follower, and not at its messages alone, is noticed.
    let discovery = std::fs::read_to_string(family().join("Discovery.tla")).expect("the grain is there");
    let guard = "        /\\ IsHead(f, l, \"FOLLOWERINFO\")\n";
    assert_eq!(discovery.matches(guard).count(), 1);
    let peeking = discovery.replace(guard, &format!("{guard}        /\\ state[f] = \"FOLLOWING\"\n"));
    sandbox().file("Discovery.tla", peeking).run(walks).says(13, &["`ReadsAreLocal` is violated"]);
}
