//! Searches that go on from disk: the folder, a disk that is full, and how such a search is cut off. That their answers
//! are those of a search in memory is what the suite is for.

use std::io::{BufRead, BufReader, Read};
use std::process::{Command, Stdio};

use crate::sandbox::Sandbox;

const CONFIG: &str = "INIT Init\nNEXT Next\n";
/// 40 * 40 states, as pairs with a long sequence.
const GRID: &str = "---- MODULE Grid ----\nEXTENDS Naturals, Sequences\nVARIABLES x, y, long\n\
    Init == x = 0 /\\ y = 0 /\\ long = [n \\in 1..200 |-> n + 1000]\n\
    Next == \\/ x < 39 /\\ x' = x + 1 /\\ UNCHANGED <<y, long>>\n        \\/ y < 39 /\\ y' = y + 1 /\\ UNCHANGED <<x, long>>\n        \\/ x = 39 /\\ y = 39 /\\ UNCHANGED <<x, y, long>>\n\
    Near == x + y < 70\n====\n";
const ENDLESS: &str = "---- MODULE Endless ----\nEXTENDS Naturals, TLC\nVARIABLE x\n\
    Init == x = 0\nNext == x' = x + 1 /\\ (x = 300 => PrintT(\"begun\"))\n====\n";

fn grid() -> Sandbox {
    let near = format!("{CONFIG}INVARIANT Near\n");
    Sandbox::new().file("Grid.tla", GRID).file("Grid.cfg", CONFIG).file("Near.cfg", &near)
}

#[test]
fn the_answer_is_that_of_a_search_in_memory() {
    let sandbox = grid();
    for config in ["Grid.cfg", "Near.cfg"] {
        let in_memory = sandbox.run(&format!("check Grid.tla --config {config}"));
        for after in ["0", "200", "1000"] {
            let from_disk = sandbox.run(&format!(
                "check Grid.tla --config {config} --workers 2 --spill out --spill-after {after}"
            ));
            assert_eq!(from_disk.stdout(), in_memory.stdout(), "{config}, {after}");
            assert_eq!((from_disk.code(), from_disk.stderr()), (in_memory.code(), in_memory.stderr()));
            assert!(!sandbox.path().join("out").exists(), "a folder that was made is removed");
        }
    }
}

#[test]
fn memory_that_is_full_sends_a_search_to_disk() {
    let sandbox = grid().folder("out");
    // Too little for the tables of any search, and enough for what is computed.
    let run = sandbox.run("check Grid.tla --memory 4M --spill out");
    assert_eq!(run.code(), Some(0), "{}", run.stdout());
    assert!(run.stdout().contains("1600 distinct states found"), "{}", run.stdout());
    assert_eq!(std::fs::read_dir(sandbox.path().join("out")).map(Iterator::count).ok(), Some(0));
}

#[test]
fn a_folder_with_something_in_it_is_refused() {
    let sandbox = grid().file("out/notes", "mine");
    sandbox.run("check Grid.tla --spill out").check("spill-not-empty");
    assert_eq!(sandbox.read("out/notes"), "mine");
}

#[test]
fn a_folder_that_another_run_has_is_refused() {
    let sandbox = grid().folder("out");
    let lock = std::fs::File::create(sandbox.path().join("out/specline.lock")).expect("it can be made");
    lock.lock().expect("nobody else has it");
    sandbox.run("check Grid.tla --spill out").check("spill-in-use");
    // A lock that nobody holds is what a run left that was killed.
    drop(lock);
    assert_eq!(sandbox.run("check Grid.tla --spill out --spill-after 10").code(), Some(0));
}

#[test]
fn depth_first_search_does_not_spill() {
    grid().run("check Grid.tla --search dfs --spill out").check("spill-depth-first");
}

/// A limit on the size of files stands for a disk that is full: both fail in the middle of a write.
#[test]
fn a_full_disk_ends_the_search_without_a_verdict() {
    let sandbox = grid();
    let line = "ulimit -f 4 && exec \"$0\" check Grid.tla --workers 1 --spill out --spill-after 100";
    let output = Command::new("bash")
        .args(["-c", line, env!("CARGO_BIN_EXE_specline")])
        .current_dir(sandbox.path())
        .stdin(Stdio::null())
        .output()
        .expect("bash starts");
    let text = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(255), "{text}");
    assert!(text.contains("SL0772") && text.contains("not complete"), "{text}");
    assert!(!text.contains("No error was found"), "{text}");
    assert!(!sandbox.path().join("out").exists(), "nothing is left");
}

#[test]
fn ctrl_c_ends_a_search_from_disk_with_a_summary() {
    let sandbox = Sandbox::new().file("Endless.tla", ENDLESS).file("Endless.cfg", CONFIG);
    let mut command = sandbox.command("check --workers 2 Endless.tla --spill out --spill-after 10");
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().expect("the program starts");
    let mut stdout = BufReader::new(child.stdout.take().expect("standard output is a pipe"));
    let mut text = String::new();
    stdout.read_line(&mut text).expect("the program writes");
    assert_eq!(text, "\"begun\"\n");
    let sent = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(sent.expect("kill starts").success(), "the program is still running");
    stdout.read_to_string(&mut text).expect("output is UTF-8");
    assert_eq!(child.wait().expect("the program ends").code(), Some(130), "{text}");
    assert!(text.contains("the search was interrupted and is not complete"), "{text}");
    assert!(!sandbox.path().join("out").exists(), "nothing is left");
}
