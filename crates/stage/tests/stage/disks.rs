//! Crashes that keep or lose unsynced changes.

use std::path::PathBuf;

use stage::{FileCall, Loss, NodeId, NodeSpec, NodeState, Stage, Trap, TrapAction, Trouble};

use crate::kit::{c, node, open, output};

/// Makes a folder of the test's own.
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
    let told: Vec<&str> = stage.uncontrolled().iter().map(|call| call.detail.as_str()).collect();
    assert_eq!(told, ["what is stored in the mapping of msync.txt is not held; `msync` is"]);
    std::fs::remove_dir_all(folder).unwrap();
}

/// A store into a mapping cannot be held, but the sync of the mapping can.
#[test]
fn the_sync_of_a_mapping_is_held_and_killed_at() {
    let (mut stage, folder) = files("msync", true);
    let n1 = stage.node_named("n1").unwrap();
    let trap = |action, is_after| Trap {
        point: None,
        thread: None,
        is_always: false,
        call: FileCall::Sync,
        file: Some("msync.txt".to_owned()),
        action,
        is_after,
    };
    stage.arm(n1, trap(TrapAction::Hold, false));
    stage.start(n1).unwrap();
    assert_eq!(stage.take_notes(), [(n1, "held before the sync of msync.txt".to_owned())]);
    let content = || std::fs::read(folder.join("msync.txt")).unwrap();
    assert_eq!(content(), b"kept;\0\0\0\0\0");
    stage.release(n1).unwrap();
    assert_eq!(content(), b"kept;lost;");
    stage.crash(n1).unwrap();
    stage.arm(n1, trap(TrapAction::Kill, false));
    stage.start(n1).unwrap();
    assert_eq!(stage.state(n1), NodeState::Crashed);
    assert_eq!(stage.take_notes(), [(n1, "killed before the sync of msync.txt".to_owned())]);
    std::fs::remove_dir_all(folder).unwrap();
}

/// A call has the same effect whether it is made by its name or by its number.
#[test]
fn calls_by_number_are_held_and_keep_what_they_synced() {
    let folder = folder("numbers");
    let command = [&c("numbers"), "files"];
    let spec = NodeSpec { folder: folder.clone(), tracks_files: true, ..node("n1", &command) };
    let mut stage = open(vec![spec]);
    let n1 = stage.node_named("n1").unwrap();
    let hold = Trap {
        call: FileCall::Rename,
        file: None,
        action: TrapAction::Hold,
        is_after: false,
        point: None,
        thread: None,
        is_always: false,
    };
    stage.arm(n1, hold);
    stage.start(n1).unwrap();
    assert_eq!(stage.take_notes(), [(n1, "held before the rename of other".to_owned())]);
    let content = |name| std::fs::read_to_string(folder.join(name)).unwrap();
    assert_eq!((content("one").as_str(), content("other").as_str()), ("kept;lost;", "kept;lost;"));
    stage.release(n1).unwrap();
    assert_eq!(content("another"), "kept;lost;");
    let done = "write 5\nwrite 5\nsync 0\npwritev 5\npwritev2 5\nrenameat 0\n";
    assert_eq!(output(&stage, n1), done);
    let (_, lost) = stage.crash_and_lose(n1).unwrap();
    assert_eq!(lost, ["another", "one"]);
    assert_eq!((content("one").as_str(), content("another").as_str()), ("kept;", "kept;"));
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

#[test]
fn what_is_written_synchronously_is_durable() {
    let folder = folder("synchronous");
    let spec = NodeSpec { folder: folder.clone(), tracks_files: true, ..node("n1", &[&c("durable")]) };
    let mut stage = open(vec![spec]);
    let n1 = stage.node_named("n1").unwrap();
    stage.start(n1).unwrap();
    let (_, lost) = stage.crash_and_lose(n1).unwrap();
    assert_eq!(lost, ["never"]);
    std::fs::remove_dir_all(folder).unwrap();
}

/// A guest that saves a file every second, with a trap for its first second.
struct Saver {
    stage: Stage,
    node: NodeId,
    folder: PathBuf,
}

impl Saver {
    fn new(name: &str, call: FileCall, file: Option<&str>, how: (TrapAction, bool)) -> Saver {
        Saver::of("saver", name, call, file, how)
    }

    fn of(
        guest: &str,
        name: &str,
        call: FileCall,
        file: Option<&str>,
        (action, is_after): (TrapAction, bool),
    ) -> Saver {
        let folder = folder(&format!("{guest}-{name}"));
        let spec = NodeSpec { folder: folder.clone(), tracks_files: true, ..node("n1", &[&c(guest)]) };
        let mut stage = open(vec![spec]);
        let node = stage.node_named("n1").unwrap();
        stage.start(node).unwrap();
        stage.arm(
            node,
            Trap {
                call,
                file: file.map(ToOwned::to_owned),
                action,
                is_after,
                point: None,
                thread: None,
                is_always: false,
            },
        );
        stage.tick(node).unwrap();
        Saver { stage, node, folder }
    }

    fn note(&mut self) -> String {
        self.stage.take_notes().into_iter().map(|(_, note)| note).collect()
    }

    /// Returns the content of the file, if it exists.
    fn file(&self, name: &str) -> Option<String> {
        std::fs::read_to_string(self.folder.join(name)).ok()
    }

    /// Restarts the node, and checks that it goes on as if nothing had happened.
    fn restart_and_save(&mut self) {
        assert_eq!(self.stage.state(self.node), NodeState::Crashed);
        assert_eq!(output(&self.stage, self.node), "");
        self.stage.start(self.node).unwrap();
        self.stage.tick(self.node).unwrap();
        assert_eq!(output(&self.stage, self.node), "saved\n");
        assert_eq!(self.file("data").as_deref(), Some("one line\n"));
    }
}

impl Drop for Saver {
    fn drop(&mut self) {
        // If the folder cannot be removed, the next run finds it.
        drop(std::fs::remove_dir_all(&self.folder));
    }
}

#[test]
fn a_node_that_is_held_at_a_file_goes_on_when_it_is_released() {
    let mut saver = Saver::new("hold", FileCall::Sync, None, (TrapAction::Hold, false));
    assert_eq!(saver.note(), "held before the sync of data.tmp");
    assert_eq!(output(&saver.stage, saver.node), "");
    assert_eq!((saver.file("data.tmp").as_deref(), saver.file("data")), (Some("one line\n"), None));
    saver.stage.release(saver.node).unwrap();
    assert_eq!(output(&saver.stage, saver.node), "saved\n");
    assert!(matches!(saver.stage.release(saver.node), Err(Trouble::NothingHeld { .. })));
}

#[test]
fn a_node_is_killed_before_or_after_a_rename() {
    let mut before = Saver::new("before", FileCall::Rename, Some("data"), (TrapAction::Kill, false));
    assert_eq!(before.note(), "killed before the rename of data.tmp");
    assert_eq!(before.file("data"), None);
    before.restart_and_save();
    let mut after = Saver::new("after", FileCall::Rename, Some("data.tmp"), (TrapAction::Kill, true));
    assert_eq!(after.note(), "killed after the rename of data.tmp");
    assert_eq!(after.file("data.tmp"), None);
    after.restart_and_save();
}

#[test]
fn a_write_is_torn() {
    let mut saver = Saver::new("tear", FileCall::Write, Some("data.tmp"), (TrapAction::Tear(3), false));
    assert_eq!(saver.note(), "killed after 3 bytes of the write to data.tmp");
    assert_eq!(saver.file("data.tmp").as_deref(), Some("one"));
    assert_eq!(saver.stage.lose(saver.node).unwrap(), ["data.tmp"]);
    assert_eq!(saver.file("data.tmp").as_deref(), Some(""));
    saver.restart_and_save();
}

#[test]
fn what_is_at_no_file_of_the_node_sets_off_nothing() {
    let mut saver = Saver::new("other", FileCall::Write, Some("other"), (TrapAction::Kill, false));
    assert_eq!(saver.note(), "");
    assert_eq!(output(&saver.stage, saver.node), "saved\n");
}

/// The program writes through C's streams, where libc calls the kernel by functions of its own.
#[test]
fn a_stream_of_c_is_held_and_goes_on() {
    let mut writer =
        Saver::of("writer", "hold", FileCall::Write, Some("data.tmp"), (TrapAction::Hold, false));
    assert_eq!(writer.note(), "held before the write to data.tmp");
    assert_eq!(writer.file("data.tmp").as_deref(), Some(""));
    let arm = |call, file: &str, is_after| Trap {
        point: None,
        thread: None,
        is_always: false,
        call,
        file: Some(file.to_owned()),
        action: TrapAction::Hold,
        is_after,
    };
    writer.stage.arm(writer.node, arm(FileCall::Sync, "data.tmp", false));
    writer.stage.release(writer.node).unwrap();
    assert_eq!(writer.note(), "held before the sync of data.tmp");
    assert_eq!(writer.file("data.tmp").as_deref(), Some("one line\n"));
    // The rest of a stream's buffer is written when the stream is closed.
    writer.stage.arm(writer.node, arm(FileCall::Write, "log", true));
    writer.stage.release(writer.node).unwrap();
    assert_eq!(writer.note(), "held after the write to log");
    assert_eq!(
        (writer.file("log").as_deref(), output(&writer.stage, writer.node).as_str()),
        (Some("saved\n"), "")
    );
    writer.stage.release(writer.node).unwrap();
    assert_eq!(output(&writer.stage, writer.node), "saved\n");
}

#[test]
fn a_stream_of_c_is_torn_killed_at_and_loses_what_was_not_synced() {
    let mut torn =
        Saver::of("writer", "tear", FileCall::Write, Some("data.tmp"), (TrapAction::Tear(3), false));
    assert_eq!(torn.note(), "killed after 3 bytes of the write to data.tmp");
    assert_eq!(torn.file("data.tmp").as_deref(), Some("one"));
    torn.restart_and_save();
    let mut killed = Saver::of("writer", "kill", FileCall::Write, Some("log"), (TrapAction::Kill, true));
    assert_eq!(killed.note(), "killed after the write to log");
    assert_eq!(
        (killed.file("data").as_deref(), killed.file("log").as_deref()),
        (Some("one line\n"), Some("saved\n"))
    );
    assert_eq!(killed.stage.lose(killed.node).unwrap(), ["log"]);
    assert_eq!(
        (killed.file("data").as_deref(), killed.file("log").as_deref()),
        (Some("one line\n"), Some(""))
    );
}

#[test]
fn power_fails_between_two_changes_of_a_file() {
    let mut writer = Saver::of("writer", "part", FileCall::Write, Some("none"), (TrapAction::Hold, false));
    writer.stage.tick(writer.node).unwrap();
    let unsynced = ["log 1: 6 bytes at 0", "log 2: 6 bytes at 6", "data made", "log made"];
    assert_eq!(writer.stage.list_unsynced(writer.node).unwrap(), unsynced);
    writer.stage.crash(writer.node).unwrap();
    let loss = Loss { kept: vec![("log".to_owned(), 1)], names: false };
    assert_eq!(writer.stage.lose_part(writer.node, &loss).unwrap(), ["log"]);
    assert_eq!(writer.file("log").as_deref(), Some("saved\n"));
    assert_eq!(writer.file("data").as_deref(), Some("one line\n"));
    assert_eq!(writer.stage.list_unsynced(writer.node).unwrap(), [""; 0]);
}

#[test]
fn a_name_that_was_not_synced_is_lost() {
    let mut saver = Saver::new("names", FileCall::Write, Some("none"), (TrapAction::Hold, false));
    saver.stage.crash(saver.node).unwrap();
    let loss = Loss { kept: Vec::new(), names: true };
    assert_eq!(saver.stage.lose_part(saver.node, &loss).unwrap(), ["data"]);
    assert_eq!((saver.file("data"), saver.file("data.tmp")), (None, None));
}
