//! Crashes with and without what was not synced.

use std::path::PathBuf;

use stage::{NodeSpec, Stage, Trouble};

use crate::kit::{c, node, open, output};

/// A folder of the test's own.
fn folder(name: &str) -> PathBuf {
    let folder =
        PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("disk-{name}-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

fn files(name: &str, tracks_files: bool) -> (Stage, PathBuf) {
    let folder = folder(name);
    let spec = NodeSpec { folder: folder.clone(), tracks_files, ..node("n1", &[&c("files")]) };
    (open(vec![spec]), folder)
}

const FRESH: &str = "fsync.txt: absent\nfdatasync.txt: absent\nnever.txt: absent\nmsync.txt: absent\n";

#[test]
fn a_crash_keeps_what_was_written_and_a_loss_of_power_what_was_synced() {
    let (mut stage, folder) = files("both", true);
    let n1 = stage.node_named("n1").unwrap();
    stage.start(n1).unwrap();
    assert_eq!(output(&stage, n1), FRESH);
    stage.crash(n1).unwrap();
    stage.start(n1).unwrap();
    let all =
        "fsync.txt: kept;lost;\nfdatasync.txt: kept;lost;\nnever.txt: kept;lost;\nmsync.txt: kept;lost;\n";
    assert_eq!(output(&stage, n1), format!("{FRESH}{all}"));
    let (_, lost) = stage.crash_and_lose(n1).unwrap();
    assert_eq!(lost, ["fdatasync.txt", "fsync.txt", "never.txt"]);
    stage.start(n1).unwrap();
    let durable =
        "fsync.txt: kept;lost;kept;\nfdatasync.txt: kept;lost;kept;\nnever.txt: \nmsync.txt: kept;lost;\n";
    assert_eq!(output(&stage, n1), format!("{FRESH}{all}{durable}"));
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_mapping_keeps_what_it_was_synced_with() {
    let (mut stage, folder) = files("mapping", true);
    let n1 = stage.node_named("n1").unwrap();
    stage.start(n1).unwrap();
    let (_, lost) = stage.crash_and_lose(n1).unwrap();
    assert_eq!(lost, ["fdatasync.txt", "fsync.txt", "msync.txt", "never.txt"]);
    assert_eq!(std::fs::read(folder.join("msync.txt")).unwrap(), b"kept;\0\0\0\0\0");
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn without_tracking_nothing_can_be_lost() {
    let (mut stage, folder) = files("none", false);
    let n1 = stage.node_named("n1").unwrap();
    stage.start(n1).unwrap();
    assert!(matches!(stage.crash_and_lose(n1), Err(Trouble::FilesNotTracked { .. })));
    std::fs::remove_dir_all(folder).unwrap();
}
