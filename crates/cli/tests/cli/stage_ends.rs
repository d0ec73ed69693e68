//! However a stage ends, and whatever its nodes do, nothing of it is left: no process, no folder.

use std::io::{BufRead, BufReader, Write};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use base::{Clock, SystemClock};

use crate::sandbox::Sandbox;

/// How long what must go may take to go.
const LIMIT_S: u64 = 30;

/// How long a node may run that comes to rest, in milliseconds; the machine may be busy.
const LONG_MS: u64 = 120_000;
/// And one that does not.
const SHORT_MS: u64 = 300;

/// One node, which is a shell.
fn system(command: &str, idle_limit_ms: u64) -> Sandbox {
    let node = "[[node]]\nname = \"n1\"\naddress = \"127.0.0.1:7001\"\n";
    let command = format!("[start]\ncommand = [\"sh\", \"-c\", '''{command}''']\n");
    Sandbox::new().file("x/system.toml", format!("idle_limit_ms = {idle_limit_ms}\n{command}{node}"))
}

/// Processes that run in this folder, or did before it was removed.
fn processes_in(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir("/proc").expect("there is a /proc").filter_map(Result::ok);
    let runs_here = |entry: &std::fs::DirEntry| {
        std::fs::read_link(entry.path().join("cwd")).is_ok_and(|cwd| cwd.starts_with(folder))
    };
    entries.filter(runs_here).map(|entry| entry.file_name().display().to_string()).collect()
}

fn stage_folders(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).expect("the sandbox is there").filter_map(Result::ok);
    let names = entries.map(|entry| entry.file_name().display().to_string());
    names.filter(|name| name.starts_with("specline-")).collect()
}

/// Of runs that had their folders in the sandbox.
#[track_caller]
pub fn check_nothing_is_left(sandbox: &Sandbox) {
    let clock = SystemClock::start();
    loop {
        let (processes, folders) = (processes_in(sandbox.path()), stage_folders(sandbox.path()));
        if processes.is_empty() && folders.is_empty() {
            return;
        }
        assert!(clock.elapsed().as_secs() < LIMIT_S, "left: {processes:?} {folders:?}");
        std::thread::yield_now();
    }
}

fn start(sandbox: &Sandbox) -> Child {
    start_command(sandbox, sandbox.command("stage x"))
}

/// The program with its folders in the sandbox, told to start its node; the node's first line has come.
fn start_command(sandbox: &Sandbox, mut command: Command) -> Child {
    command.env("TMPDIR", sandbox.path()).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = command.spawn().expect("the program starts");
    writeln!(child.stdin.as_mut().expect("a pipe"), "start n1").expect("it reads");
    let mut line = String::new();
    BufReader::new(child.stdout.as_mut().expect("a pipe")).read_line(&mut line).expect("it writes");
    assert_eq!(line, "n1| up\n");
    child
}

/// Plays a script with the folders of the run in the sandbox.
fn play(sandbox: &Sandbox, script: &str) -> (Option<i32>, String, String) {
    std::fs::write(sandbox.path().join("script.txt"), script).expect("files can be written");
    let temporary = sandbox.path().display().to_string();
    let run = sandbox.run_with("stage x --script script.txt", &[("TMPDIR", &temporary)]);
    (run.code(), run.stdout().to_owned(), run.stderr().to_owned())
}

#[test]
fn a_stage_that_is_killed_leaves_nothing() {
    for _ in 0..5 {
        let sandbox = system("(while sleep 1; do :; done) & echo up; while sleep 1; do :; done", LONG_MS);
        let mut child = start(&sandbox);
        child.kill().expect("it runs");
        child.wait().expect("it has ended");
        check_nothing_is_left(&sandbox);
    }
}

/// As a supervisor does, or somebody at a terminal.
#[test]
fn a_stage_that_is_killed_with_its_group_leaves_nothing() {
    for signal in ["-KILL", "-QUIT", "-INT", "-TERM"] {
        let sandbox = system("(while sleep 1; do :; done) & echo up; while sleep 1; do :; done", LONG_MS);
        let mut command = sandbox.command("stage x");
        command.process_group(0);
        let mut child = start_command(&sandbox, command);
        let group = format!("-{}", child.id());
        let killed = Command::new("kill").args([signal, "--", &group]).status().expect("there is a kill");
        assert!(killed.success(), "{signal}");
        child.wait().expect("it has ended");
        check_nothing_is_left(&sandbox);
    }
}

#[test]
fn a_path_without_programs_does_not_keep_a_stage_from_leaving_nothing() {
    let sandbox = system("", LONG_MS).folder("empty");
    let node = sandbox.read("x/system.toml").replace("\"sh\"", "\"/bin/sh\"");
    let node = node.replace("''''''", "'''echo up; kill -STOP $$'''");
    let sandbox = sandbox.file("x/system.toml", node);
    for is_killed in [true, false] {
        let mut command = sandbox.command("stage x");
        command.env("PATH", sandbox.path().join("empty"));
        let mut child = start_command(&sandbox, command);
        if is_killed {
            child.kill().expect("it runs");
        }
        drop(child.stdin.take());
        child.wait().expect("it has ended");
        check_nothing_is_left(&sandbox);
    }
}

#[test]
fn a_stage_whose_input_ends_leaves_nothing() {
    let sandbox = system("echo up; while sleep 1; do :; done", LONG_MS);
    let mut child = start(&sandbox);
    drop(child.stdin.take());
    assert!(child.wait().expect("it ends").success());
    check_nothing_is_left(&sandbox);
}

#[test]
fn a_node_that_crashes_takes_its_children_along() {
    let sandbox = system("(while sleep 1; do echo child; done) & echo up; wait", LONG_MS);
    let (code, stdout, stderr) = play(&sandbox, "start n1\ntick n1\ncrash n1\nnodes\n");
    assert_eq!(code, Some(0), "{stderr}");
    assert_eq!(stdout, "n1| up\nn1| child\nn1 crashed, at 1000 ms\n");
    check_nothing_is_left(&sandbox);
}

#[test]
fn a_node_that_ends_by_itself_says_how() {
    let sandbox = system("echo up; kill -SEGV $$", LONG_MS);
    let (code, stdout, stderr) = play(&sandbox, "start n1\nnodes\n");
    assert_eq!((code, stdout.as_str()), (Some(24), "n1 ended by signal 11\nn1| up\n"));
    assert!(stderr.contains("`n1` ended by signal 11 while it was to start"), "{stderr}");
    let sandbox = system("(sleep 5; echo late) & sleep 1; exit 3", LONG_MS);
    let (code, stdout, _) = play(&sandbox, "start n1\ntick n1\nnodes\ntick n1\n");
    let told = "n1 ended with exit code 3\nn1 ended with exit code 3, at 1000 ms\n";
    assert_eq!((code, stdout.as_str()), (Some(24), told));
    check_nothing_is_left(&sandbox);
}

#[test]
fn a_node_that_hangs_or_spins_is_given_up_and_leaves_nothing() {
    let sandbox = system("while :; do :; done", SHORT_MS);
    let (code, _, stderr) = play(&sandbox, "start n1\n");
    assert_eq!(code, Some(24));
    assert!(stderr.contains("does not come to rest"), "{stderr}");
    check_nothing_is_left(&sandbox);
}

#[test]
fn a_node_that_writes_without_end_does_not_fill_the_disk() {
    let sandbox = system("yes 'a long line of a log that nobody will ever read to its end'", SHORT_MS);
    let (code, _, stderr) = play(&sandbox, "start n1\n");
    assert_eq!(code, Some(24), "{stderr}");
    check_nothing_is_left(&sandbox);
}

#[test]
fn a_gigabyte_of_logs_is_no_end() {
    let command = "yes 'a line of a log' | head -c 1073741824; echo; echo done; sleep 1; echo later";
    let sandbox = system(command, LONG_MS);
    let (code, stdout, stderr) = play(&sandbox, "start n1\ntick n1\n");
    assert_eq!(code, Some(0), "{stderr}");
    assert!(
        stdout.ends_with("n1| done\nn1 ended with exit code 0\nn1| later\n"),
        "{}",
        &stdout[stdout.len().saturating_sub(200)..]
    );
    check_nothing_is_left(&sandbox);
}

/// Each of them at most once a run: forks that outlive their parent, that are stopped, that end at once.
#[test]
fn forks_of_all_kinds_leave_nothing() {
    let forks = [
        "(sleep 1000 &); (sleep 1000 &); echo up; sleep 1",
        "sleep 1000 & kill -STOP $!; echo up; sleep 1",
        "for i in 1 2 3 4 5 6 7 8; do sh -c 'exit 3' & done; wait; echo up; sleep 1",
        "setsid sleep 1000 & echo up; sleep 1; exit 7",
    ];
    for command in forks {
        let sandbox = system(command, LONG_MS);
        let (code, stdout, stderr) = play(&sandbox, "start n1\ntick n1\n");
        let exit = if command.ends_with("exit 7") { 7 } else { 0 };
        let told = format!("n1| up\nn1 ended with exit code {exit}\n");
        assert_eq!((code, stdout), (Some(0), told), "{command}: {stderr}");
        check_nothing_is_left(&sandbox);
    }
}

#[test]
fn many_runs_leave_nothing() {
    let sandbox =
        system("echo up; trap '' TERM HUP INT; (sleep 100 & sleep 200) & while sleep 1; do :; done", LONG_MS);
    for _ in 0..10 {
        let (code, _, stderr) = play(&sandbox, "start n1\ntick n1 2\ncrash n1\nstart n1\n");
        assert_eq!(code, Some(0), "{stderr}");
    }
    check_nothing_is_left(&sandbox);
}
