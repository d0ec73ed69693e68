//! The explorers count what TLC recorded for the specifications, on bounds small enough for a debug build.

use std::path::Path;

use explorers::raft::{Bounds, Raft};
use explorers::two_phase::TwoPhase;
use explorers::{Counts, Records, Words, explore};

/// Reads the counts that are recorded at this path of the repository.
fn recorded(path: &str) -> Counts {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let text = std::fs::read_to_string(root.join(path)).expect("the record is there");
    toml::from_str(&text).expect("the record has counts")
}

#[test]
fn two_phase_commit_counts_as_its_specification() {
    let counts = explore(&TwoPhase::new(4).unwrap(), &mut Words::default());
    assert_eq!(counts, Some(recorded("bench/small/TwoPhaseCommit.expect")));
}

#[test]
fn the_raft_counts_as_its_specification() {
    let bounds = Bounds { n_servers: 2, n_values: 1, term_max: 2, log_len_max: 1, queue_len_max: 1 };
    let counts = explore(&Raft::new(bounds).unwrap(), &mut Records::default());
    assert_eq!(counts, Some(recorded("suite/protocols/RaftLog.expect")));
    let bounds = Bounds { n_servers: 3, term_max: 1, ..bounds };
    let counts = explore(&Raft::new(bounds).unwrap(), &mut Records::default());
    assert_eq!(counts, Some(recorded("suite/large/RaftLog.expect")));
    let bounds = Bounds { n_servers: 2, n_values: 2, term_max: 2, log_len_max: 2, queue_len_max: 2 };
    let counts = explore(&Raft::new(bounds).unwrap(), &mut Records::default());
    assert_eq!(counts, Some(recorded("bench/small/RaftLog.expect")));
}

#[test]
fn bounds_beyond_the_layout_are_refused() {
    assert!(TwoPhase::new(16).is_none());
    assert!(
        Raft::new(Bounds { n_servers: 4, n_values: 1, term_max: 1, log_len_max: 1, queue_len_max: 1 })
            .is_none()
    );
}
