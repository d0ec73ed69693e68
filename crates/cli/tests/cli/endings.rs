//! Searches that end before they are complete, and answers that cannot be written.

use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::process::{Child, ChildStdout, Command, Stdio};

use crate::sandbox::Sandbox;

const CONFIG: &str = "INIT Init\nNEXT Next\n";
const ENDLESS: &str = "---- MODULE Endless ----\nEXTENDS Naturals, TLC\nVARIABLE x\n\
                       Init == x = 0 /\\ PrintT(\"begun\")\nNext == x' = x + 1\n====\n";
const VIOLATED: &str = "---- MODULE Violated ----\nEXTENDS Naturals\nVARIABLE x\nInit == x = 0\nNext == x' = x + 1\nLow == x < 2\n====\n";

fn endless() -> Sandbox {
    Sandbox::new().file("Endless.tla", ENDLESS).file("Endless.cfg", CONFIG)
}

fn violated() -> Sandbox {
    let config = format!("{CONFIG}INVARIANT Low\n");
    Sandbox::new().file("Violated.tla", VIOLATED).file("Violated.cfg", &config)
}

fn started(sandbox: &Sandbox, args: &str) -> (Child, BufReader<ChildStdout>) {
    let mut command = sandbox.command(args);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().expect("the program starts");
    let stdout = child.stdout.take().expect("standard output is a pipe");
    (child, BufReader::new(stdout))
}

fn line(stdout: &mut BufReader<ChildStdout>) -> String {
    let mut line = String::new();
    stdout.read_line(&mut line).expect("the program writes");
    line
}

fn signal(child: &Child, name: &str) {
    let sent = Command::new("kill").args([&format!("-{name}"), &child.id().to_string()]).status();
    assert!(sent.expect("kill starts").success(), "the program is still running");
}

fn rest(mut child: Child, mut stdout: BufReader<ChildStdout>) -> (Option<i32>, String) {
    let mut text = String::new();
    stdout.read_to_string(&mut text).expect("output is UTF-8");
    (child.wait().expect("the program ends").code(), text)
}

#[test]
fn ctrl_c_ends_a_search_with_a_summary() {
    let sandbox = endless();
    let (child, mut stdout) = started(&sandbox, "check --workers 2 Endless.tla");
    assert_eq!(line(&mut stdout), "\"begun\"\n");
    signal(&child, "INT");
    let (code, text) = rest(child, stdout);
    assert_eq!(code, Some(130), "{text}");
    assert!(text.contains("the search was interrupted and is not complete"), "{text}");
    // There may be one state or many by then.
    assert!(text.contains("left on queue"), "{text}");
}

#[test]
fn a_request_to_terminate_does_the_same() {
    let sandbox = endless();
    let (child, mut stdout) = started(&sandbox, "check --format json --search dfs Endless.tla");
    while !line(&mut stdout).contains("\"kind\":\"initial\"") {}
    signal(&child, "TERM");
    let (code, text) = rest(child, stdout);
    assert_eq!(code, Some(130), "{text}");
    let answer = text.lines().last().expect("there is an answer");
    assert!(answer.contains("\"verdict\":\"interrupted\"") && answer.contains("\"generated\""), "{text}");
}

#[test]
fn a_second_signal_ends_at_once() {
    // Waits for another program, and so cannot see that it was asked to end.
    let module = "---- MODULE Stuck ----\nEXTENDS IOUtils, TLC\nVARIABLE x\n\
                  ASSUME PrintT(\"waiting\") /\\ IOExec(<<\"sleep\", \"20\">>).exitValue = 0\n\
                  Init == x = 0\nNext == x' = x\n====\n";
    let sandbox = Sandbox::new().file("Stuck.tla", module).file("Stuck.cfg", CONFIG);
    let mut command = sandbox.command("check Stuck.tla");
    command.env("PATH", "/usr/bin:/bin").stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = command.spawn().expect("the program starts");
    let mut stdout = BufReader::new(child.stdout.take().expect("standard output is a pipe"));
    assert_eq!(line(&mut stdout), "\"waiting\"\n");
    // Two signals may arrive as one, so there may have to be a third. The other program still holds the pipe: it
    // is not read to its end.
    let ended = loop {
        signal(&child, "INT");
        if let Some(ended) = child.try_wait().expect("the program can be waited for") {
            break ended;
        }
    };
    assert_eq!(ended.code(), Some(130));
}

#[test]
fn limits_say_that_the_search_is_not_complete() {
    for limit in
        ["--depth 5", "--max-states 100", "--time 1", "--search dfs --depth 5", "--search dfs --time 1"]
    {
        let run = endless().run(&format!("check {limit} Endless.tla"));
        assert_eq!(run.code(), Some(21), "{limit}: {}", run.stdout());
        assert!(run.stdout().contains("the search is not complete"), "{limit}: {}", run.stdout());
        assert!(!run.stdout().contains("No error was found.\n"), "{limit}: {}", run.stdout());
    }
}

/// The clock is looked at wherever evaluation can take long.
#[test]
fn time_ends_what_finds_no_state() {
    let cases = [
        ("Init == x \\in 1..1000000000000 /\\ x < 0", ""),
        ("Init == \\E a, b, c \\in 1..100000 : a + b + c < 0 /\\ x = a", ""),
        ("Init == x = 0", "INVARIANT Long\n"),
        ("Init == x \\in SUBSET (1..19)", ""),
    ];
    for (init, config) in cases {
        let module = format!(
            "---- MODULE Slow ----\nEXTENDS Naturals\nVARIABLE x\n{init}\nNext == x' = x\n\
             Long == \\A n \\in 1..1000000000000 : n > 0\n====\n"
        );
        let config = format!("{CONFIG}{config}");
        let sandbox = Sandbox::new().file("Slow.tla", &module).file("Slow.cfg", &config);
        let run = sandbox.run("check --workers 1 --time 1 Slow.tla");
        assert_eq!(run.code(), Some(21), "{init}: {}", run.stdout());
    }
}

#[test]
fn a_reader_that_goes_away_ends_the_search_quietly() {
    for format in ["json", "text"] {
        let module = "---- MODULE Endless ----\nEXTENDS Naturals, TLC\nVARIABLE x\n\
                             Init == x = 0\nNext == x' = x + 1 /\\ PrintT(x)\n====\n";
        let sandbox = Sandbox::new().file("Endless.tla", module).file("Endless.cfg", CONFIG);
        let mut command = sandbox.command(&format!("check --format {format} Endless.tla"));
        let mut child =
            command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the program starts");
        let mut stdout = BufReader::new(child.stdout.take().expect("standard output is a pipe"));
        line(&mut stdout);
        drop(stdout);
        let output = child.wait_with_output().expect("the program ends");
        assert_eq!(output.status.code(), Some(0), "{format}");
        assert!(output.stderr.is_empty(), "{format}: {}", String::from_utf8_lossy(&output.stderr));
    }
}

#[test]
fn a_full_disk_does_not_hide_the_answer() {
    let sandbox = violated();
    let full = File::options().write(true).open("/dev/full").expect("there is a full device");
    let output = sandbox.command("check Violated.tla").stdout(full).output().expect("the program starts");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(255), "{errors}");
    assert!(errors.contains("SL0005") && errors.contains("invariant `Low` is violated"), "{errors}");
}

#[test]
fn no_run_fails_without_a_word() {
    let full = File::options().write(true).open("/dev/full").expect("there is a full device");
    let output = Sandbox::new().command("explain SL0301").stdout(full).output().expect("the program starts");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(255), "{errors}");
    assert!(errors.contains("SL0005") && errors.contains("No space left"), "{errors}");
}

#[test]
fn a_trace_that_cannot_be_written_leaves_the_verdict() {
    let run = violated().run("check --workers 1 --trace /dev/full Violated.tla");
    assert_eq!(run.code(), Some(12), "{}", run.stderr());
    assert!(run.stdout().contains("invariant `Low` is violated"), "{}", run.stdout());
    assert!(run.stderr().contains("cannot write `/dev/full`"), "{}", run.stderr());
}

#[test]
fn a_folder_that_is_not_there_is_told_before_the_search() {
    let sandbox = violated().folder("here");
    for (path, reason) in [("missing/out.json", "there is no folder `missing`"), ("here", "it is a folder")] {
        let run = sandbox.run(&format!("check --trace {path} Violated.tla"));
        assert_eq!(run.code(), Some(255), "{}", run.stderr());
        assert!(run.stderr().contains("SL0005") && run.stderr().contains(reason), "{}", run.stderr());
        assert_eq!(run.stdout(), "");
    }
}

/// Deeper than a JSON reader of the usual kind goes.
#[test]
fn deep_values_are_written_whole() {
    let module = "---- MODULE Deep ----\nEXTENDS Naturals\nVARIABLES n, x\nInit == n = 0 /\\ x = <<>>\n\
                  Next == n' = n + 1 /\\ x' = <<x, n>>\nLow == n < 300\n====\n";
    let config = format!("{CONFIG}INVARIANT Low\n");
    let sandbox = Sandbox::new().file("Deep.tla", module).file("Deep.cfg", &config);
    let run = sandbox.run("check --workers 1 --format json --trace out.json Deep.tla");
    assert_eq!(run.code(), Some(12));
    let answer = run.stdout().lines().last().expect("there is an answer");
    assert_eq!(answer.matches("{\"#tup\":[").count(), (1..=300).sum::<usize>());
    let shown = sandbox.run("trace show --full out.json");
    assert_eq!(shown.code(), Some(0), "{}", shown.stderr());
    assert!(shown.stdout().contains("State 301"), "{}", shown.stderr());
}

/// Values that are too deep even for a trace are shown as text, and nothing overflows.
#[test]
fn endlessly_deep_values_are_told_as_text() {
    let module = "---- MODULE Abyss ----\nEXTENDS Naturals\nVARIABLE x\nRECURSIVE Nested(_)\n\
                  Nested(n) == IF n = 0 THEN {} ELSE {Nested(n - 1)}\n\
                  Init == x = Nested(20000)\nNext == x' = x\nShallow == x = {}\n====\n";
    let config = format!("{CONFIG}INVARIANT Shallow\n");
    let sandbox = Sandbox::new().file("Abyss.tla", module).file("Abyss.cfg", &config);
    for format in ["text", "json"] {
        let run = sandbox.run(&format!("check --workers 1 --format {format} --trace out.json Abyss.tla"));
        assert_eq!(run.code(), Some(12), "{format}: {}", run.stderr());
    }
    assert_eq!(sandbox.run("trace show out.json").code(), Some(0));
}

/// A limit, or an error, after a violation does not hide the violation; that the search is not complete is said.
#[test]
fn a_violation_outlives_what_ends_the_search_later() {
    let module = "---- MODULE Later ----\nEXTENDS Naturals\nVARIABLE x\nInit == x = 0\n\
                  Next == x' = IF x < 9 THEN x + 1 ELSE <<1>>[x]\nLow == x # 2\n====\n";
    let config = format!("{CONFIG}INVARIANT Low\n");
    let sandbox = Sandbox::new().file("Later.tla", module).file("Later.cfg", &config);
    for (flags, ending) in [("--depth 5", "ended at a limit"), ("", "ended with an error")] {
        let run = sandbox.run(&format!("check --workers 1 --continue {flags} Later.tla"));
        assert_eq!(run.code(), Some(12), "{}", run.stdout());
        assert!(run.stdout().contains(ending) && run.stdout().contains("not complete"), "{}", run.stdout());
        assert!(!run.stdout().contains("No error was found"), "{}", run.stdout());
        assert_eq!(run.stderr().contains("SL0702"), flags.is_empty(), "{}", run.stderr());
    }
}

/// Runs under a limit on address space, in KiB.
fn within(kilobytes: u32, sandbox: &Sandbox, args: &str) -> (Option<i32>, String) {
    let line = format!("ulimit -v {kilobytes}; exec {} {args}", env!("CARGO_BIN_EXE_specline"));
    let mut shell = Command::new("sh");
    let output = shell.args(["-c", &line]).current_dir(sandbox.path()).output().expect("sh starts");
    let told = [output.stdout, output.stderr].concat();
    (output.status.code(), String::from_utf8(told).expect("output is UTF-8"))
}

#[test]
fn workers_that_cannot_be_started_are_no_bug() {
    let sandbox = violated();
    let (code, text) = within(3_000_000, &sandbox, "simulate --workers 32 Violated.tla");
    assert_eq!(code, Some(255), "{text}");
    assert!(text.contains("SL0774") && text.contains("33 threads are needed"), "{text}");
    let (code, text) = within(3_000_000, &sandbox, "simulate --workers 2 Violated.tla");
    assert_eq!(code, Some(12), "{text}");
}

#[test]
fn a_limit_on_address_space_is_shared_out_or_too_small() {
    let sandbox = violated();
    for kilobytes in [200_000_000, 8_000_000, 1_400_000] {
        let (code, text) = within(kilobytes, &sandbox, "check --workers 2 Violated.tla");
        assert_eq!(code, Some(12), "{kilobytes} KiB: {text}");
    }
    let (code, text) = within(300_000, &sandbox, "check --workers 2 Violated.tla");
    assert_eq!(code, Some(255), "{text}");
    assert!(text.contains("SL0773") && text.contains("ulimit -v 1310720"), "{text}");
}
