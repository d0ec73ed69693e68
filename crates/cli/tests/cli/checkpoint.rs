//! Searches that are ended, in whatever way, and gone on with: the answer is that of one that was not.

use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::process::{Child, ChildStdout, Command, Stdio};

use crate::sandbox::{Run, Sandbox};

/// Some 9,000 states in 40 levels, of values of every kind.
const GROW: &str = r#"---- MODULE Grow ----
EXTENDS Naturals, Sequences, FiniteSets, TLC
CONSTANTS Node, Max
VARIABLES at, log, seen, sum
vars == <<at, log, seen, sum>>
Init == at = [n \in Node |-> 0] /\ log = <<>> /\ seen = {} /\ sum \in {0, 5000000000000}
Step(n) == /\ at[n] < Max
           /\ at' = [at EXCEPT ![n] = @ + 1]
           /\ log' = IF Len(log) < 3 THEN Append(log, [who |-> n, what |-> "step" \o ToString(at[n])]) ELSE log
           /\ seen' = seen \cup {<<n, at[n] % 3>>}
           /\ sum' = sum + at[n]
Forget == log # <<>> /\ log' = Tail(log) /\ UNCHANGED <<at, seen, sum>>
Done == \A n \in Node : at[n] = Max
Next == (\E n \in Node : Step(n)) \/ Forget \/ (Done /\ UNCHANGED vars)
Small == ~(sum = 11 /\ Len(log) = 2 /\ at[CHOOSE n \in Node : TRUE] = 3)
Shape == <<at, Len(log), sum>>
Perms == Permutations(Node)
Full == Done /\ Len(log) = 3
Early == Cardinality(seen) = 1
====
"#;

const CONSTANTS: &str = "INIT Init\nNEXT Next\nCONSTANTS Node = {n1, n2, n3}\nMax = 3\n";

fn grow(config: &str) -> Sandbox {
    Sandbox::new().file("Grow.tla", GROW).file("Grow.cfg", format!("{CONSTANTS}{config}"))
}

fn answer(output: &str) -> &str {
    let last = output.lines().last().unwrap_or_default();
    assert!(last.contains(r#""kind":"answer""#), "{output}");
    last
}

/// All that was told but the last line, which is about memory.
fn found(run: &Run) -> Vec<&str> {
    let mut lines: Vec<&str> = run.stdout().lines().collect();
    lines.retain(|line| !line.contains("bytes a state"));
    lines
}

fn started(sandbox: &Sandbox, args: &str) -> (Child, BufReader<ChildStdout>) {
    let mut command = sandbox.command(args);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().expect("the program starts");
    let stdout = child.stdout.take().expect("standard output is a pipe");
    (child, BufReader::new(stdout))
}

fn signal(child: &Child, name: &str) {
    let sent = Command::new("kill").args([&format!("-{name}"), &child.id().to_string()]).status();
    // It may have ended meanwhile.
    sent.expect("kill starts");
}

/// Starts a search, sends it a signal after so many checkpoints, and gives what it wrote.
fn cut_off(sandbox: &Sandbox, args: &str, (n_checkpoints, name): (usize, &str)) -> String {
    let (mut child, mut stdout) = started(sandbox, args);
    let (mut text, mut n_seen) = (String::new(), 0);
    while n_seen < n_checkpoints {
        let mut line = String::new();
        if stdout.read_line(&mut line).expect("output is UTF-8") == 0 {
            break;
        }
        n_seen += usize::from(line.contains(r#""kind":"checkpoint""#));
        text.push_str(&line);
    }
    signal(&child, name);
    stdout.read_to_string(&mut text).expect("output is UTF-8");
    child.wait().expect("the program ends");
    text
}

/// Ends a search again and again, with a different number of workers each time, and compares the final answer.
#[track_caller]
fn check_cut_off(config: &str, options: &str) {
    let sandbox = grow(config);
    let expected = sandbox.run(&format!("check --format json --workers 1 {options} Grow.tla"));
    let begin = format!(
        "check --format json --workers 2 --checkpoint kept --checkpoint-every 1ms {options} Grow.tla"
    );
    let mut text = cut_off(&sandbox, &begin, (1, "KILL"));
    let mut n_parts = 1;
    while !text
        .lines()
        .last()
        .is_some_and(|line| line.contains(r#""kind":"answer""#) && !line.contains("interrupted"))
    {
        let name = ["TERM", "KILL", "INT"][n_parts % 3];
        let workers = 1 + n_parts % 2;
        let go_on = format!(
            "check --format json --workers {workers} --resume kept --checkpoint-every 1ms {options} Grow.tla"
        );
        text = cut_off(&sandbox, &go_on, (1 + n_parts / 3, name));
        n_parts += 1;
    }
    let found = answer(&text).replace(r#","checkpoint":{"#, "\n");
    let found = found.lines().next().unwrap_or_default();
    assert_eq!(found.trim_end_matches('}'), answer(expected.stdout()).trim_end_matches('}'), "{options}");
    assert!(n_parts > 2, "it was ended {n_parts} times");
}

#[test]
fn breadth_first_goes_on_to_the_same_answer() {
    check_cut_off("CONSTRAINT Small\nCHECK_DEADLOCK FALSE\n", "");
}

#[test]
fn depth_first_goes_on_to_the_same_answer() {
    check_cut_off("CONSTRAINT Small\n", "--search dfs");
}

#[test]
fn with_symmetry_and_a_view_it_goes_on_to_the_same_answer() {
    check_cut_off("SYMMETRY Perms\n", "");
    check_cut_off("VIEW Shape\n", "");
}

/// The first violation is found before the first signal, more of them later.
#[test]
fn a_search_through_all_violations_keeps_them() {
    check_cut_off("INVARIANT Small\n", "--continue");
}

#[test]
fn a_violation_that_comes_later_has_its_trace() {
    let module = GROW.replace("Small ==", "Small == ~(Len(log) = 3 /\\ Done)\nOther ==");
    let sandbox =
        Sandbox::new().file("Grow.tla", module).file("Grow.cfg", format!("{CONSTANTS}INVARIANT Small\n"));
    let expected = sandbox.run("check --format json --workers 1 Grow.tla");
    assert_eq!(expected.code(), Some(12));
    sandbox.run("check --checkpoint kept --max-states 1000 Grow.tla");
    let run = sandbox.run("check --format json --workers 2 --resume kept Grow.tla");
    assert_eq!(answer(run.stdout()), answer(expected.stdout()));
}

/// A search that a limit ended goes on when the limit is raised.
#[test]
fn limits_may_be_raised() {
    let sandbox = grow("_POSSIBLE Early\n");
    let expected = sandbox.run("check --workers 1 Grow.tla");
    for (kind, limits) in
        [("--depth", [5, 9]), ("--max-states", [700, 3000]), ("--search dfs --max-states", [9, 300])]
    {
        let order = if kind.contains("dfs") { "--search dfs" } else { "" };
        let first = sandbox.run(&format!("check {kind} {} --checkpoint kept Grow.tla", limits[0]));
        assert_eq!(first.code(), Some(21), "{}", first.stderr());
        assert!(first.stdout().contains("go on with `--resume kept`"), "{}", first.stdout());
        let second = sandbox.run(&format!("check {kind} {} --resume kept Grow.tla", limits[1]));
        assert_eq!(second.code(), Some(21), "{}", second.stderr());
        let plain = sandbox.run(&format!("check {kind} {} Grow.tla", limits[1]));
        assert_eq!(second.stdout().lines().nth(1), plain.stdout().lines().nth(1), "{kind}");
        let last = sandbox.run(&format!("check {order} --resume kept Grow.tla"));
        let counts = |run: &Run| run.stdout().lines().nth(1).unwrap_or_default().replace("depth", "\n");
        assert_eq!(counts(&last).lines().next(), counts(&expected).lines().next(), "{}", last.stderr());
        fs::remove_dir_all(sandbox.path().join("kept")).expect("the folder is there");
    }
}

#[test]
fn a_full_memory_leaves_a_checkpoint() {
    let sandbox = grow("");
    let expected = sandbox.run("check --workers 1 -D Max=4 Grow.tla");
    let plain = sandbox.run("check --workers 1 --memory 1M -D Max=4 Grow.tla");
    assert_eq!(plain.code(), Some(21), "{}", plain.stdout());
    assert!(plain.stdout().contains("`--checkpoint` keeps what is found"), "{}", plain.stdout());
    let full = sandbox.run("check --workers 1 --memory 1M --checkpoint kept -D Max=4 Grow.tla");
    assert_eq!(full.code(), Some(21), "{}", full.stderr());
    assert!(full.stdout().contains("go on with `--resume kept`"), "{}", full.stdout());
    let again = sandbox.run("check --workers 1 --memory 1M --resume kept -D Max=4 Grow.tla");
    assert_eq!(again.code(), Some(21), "{}", again.stderr());
    let last = sandbox.run("check --workers 1 --memory 700M --resume kept -D Max=4 Grow.tla");
    assert_eq!(found(&last), found(&expected));
}

/// Two workers have half as much each for the values of an evaluation, and it is still enough for one state.
#[test]
fn what_earlier_states_left_behind_is_no_reason_to_end() {
    let sandbox = grow("");
    for workers in ["1", "2", "4"] {
        let run = sandbox
            .run(&format!("check --workers {workers} --memory 1M --engine interpreted -D Max=4 Grow.tla"));
        assert_eq!(run.code(), Some(21), "{}", run.stdout());
        assert!(run.stdout().contains("there was no room to go on"), "{}", run.stdout());
    }
}

/// One evaluation that fills the memory leaves a checkpoint, and says how to get one.
#[test]
fn an_evaluation_that_fills_the_memory_leaves_a_checkpoint() {
    let module = "---- MODULE Large ----\nEXTENDS Naturals, FiniteSets\nVARIABLE x\nInit == x = 0\n\
                  Next == x' = IF x < 50 THEN x + 1 ELSE Cardinality({<<i, x>> : i \\in 1..100000}) % 7\n====\n";
    let sandbox = Sandbox::new().file("Large.tla", module).file("Large.cfg", "INIT Init\nNEXT Next\n");
    let plain = sandbox.run("check --workers 1 --memory 4M Large.tla");
    assert_eq!(plain.code(), Some(21), "{}", plain.stdout());
    for said in ["SL0779", "Large.tla:5:", "`--checkpoint` keeps what is found until then"] {
        assert!(plain.stdout().contains(said), "{said}: {}", plain.stdout());
    }
    let full = sandbox.run("check --workers 1 --memory 4M --checkpoint kept Large.tla");
    assert_eq!(full.code(), Some(21), "{}", full.stdout());
    for said in ["SL0779", "The checkpoint has 51 distinct states; go on with `--resume kept`", "more memory"]
    {
        assert!(full.stdout().contains(said), "{said}: {}", full.stdout());
    }
    let last = sandbox.run("check --workers 1 --memory 700M --resume kept Large.tla");
    assert_eq!(last.code(), Some(0), "{}", last.stdout());
    assert_eq!(found(&last), found(&sandbox.run("check --workers 1 --memory 700M Large.tla")));
}

/// A limit on the size of a file stands in for a full disk: both fail while a segment is written.
#[test]
fn a_full_disk_leaves_the_checkpoint_before_it() {
    let sandbox = grow("");
    let expected = sandbox.run("check --workers 1 Grow.tla");
    sandbox.run("check --workers 1 --max-states 500 --checkpoint kept Grow.tla");
    let before = fs::read(sandbox.path().join("kept/manifest")).expect("there is a checkpoint");
    let program = env!("CARGO_BIN_EXE_specline");
    let script = format!(
        "trap '' XFSZ; ulimit -f 1; exec {program} check --checkpoint-every 1ms --resume kept Grow.tla"
    );
    let output =
        Command::new("sh").args(["-c", &script]).current_dir(sandbox.path()).output().expect("sh starts");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(255), "{errors}");
    assert!(errors.contains("SL0823") && errors.contains("the one before it is still good"), "{errors}");
    assert_eq!(fs::read(sandbox.path().join("kept/manifest")).ok(), Some(before));
    let last = sandbox.run("check --workers 1 --resume kept Grow.tla");
    assert_eq!(found(&last), found(&expected));
}

/// Registers count what was done: nothing twice, nothing left out.
#[test]
fn registers_are_kept() {
    let module = "---- MODULE Registers ----\nEXTENDS Naturals, TLC\nVARIABLE x\nASSUME TLCSet(1, 0)\n\
                  Init == x = 0\nNext == x < 3000 /\\ x' \\in {x + 1, x + 2}\nCount == TLCSet(1, TLCGet(1) + 1)\n\
                  Told == PrintT(<<\"counted\", TLCGet(1), TLCGet(\"distinct\"), TLCGet(\"diameter\")>>)\n====\n";
    let config = "INIT Init\nNEXT Next\nCONSTRAINT Count\nPOSTCONDITION Told\nCHECK_DEADLOCK FALSE\n";
    let sandbox = Sandbox::new().file("Registers.tla", module).file("Registers.cfg", config);
    for search in ["bfs", "dfs"] {
        let expected = sandbox.run(&format!("check --workers 1 --search {search} Registers.tla"));
        let base = format!("check --workers 1 --search {search} --format json --checkpoint-every 1ms");
        cut_off(&sandbox, &format!("{base} --checkpoint kept Registers.tla"), (2, "INT"));
        cut_off(&sandbox, &format!("{base} --resume kept Registers.tla"), (2, "KILL"));
        let refused =
            sandbox.run(&format!("check --workers 2 --search {search} --resume kept Registers.tla"));
        assert_eq!(refused.code(), Some(151), "{}", refused.stderr());
        assert!(refused.stderr().contains("has the registers of 1 worker,"), "{}", refused.stderr());
        let last = sandbox.run(&format!("check --workers 1 --search {search} --resume kept Registers.tla"));
        assert_eq!(found(&last), found(&expected), "{search}");
        fs::remove_dir_all(sandbox.path().join("kept")).expect("the folder is there");
    }
}

/// A checkpoint of a search that a limit ended.
fn kept(config: &str) -> Sandbox {
    let sandbox = grow(config);
    let run = sandbox.run("check --max-states 3000 --checkpoint kept Grow.tla");
    assert_eq!(run.code(), Some(21), "{}", run.stderr());
    sandbox
}

#[track_caller]
fn refused(sandbox: &Sandbox, args: &str, (code, exit, reason): (&str, i32, &str)) {
    let run = sandbox.run(&format!("check {args} Grow.tla"));
    assert_eq!(run.code(), Some(exit), "{}{}", run.stdout(), run.stderr());
    assert!(run.stderr().contains(code) && run.stderr().contains(reason), "{}", run.stderr());
}

#[test]
fn a_checkpoint_of_something_else_is_refused() {
    let resumed = |sandbox: &Sandbox, args: &str, reason: &str| {
        refused(sandbox, &format!("--resume kept {args}"), ("SL0821", 151, reason));
    };
    let sandbox = kept("");
    resumed(&sandbox, "--search dfs", "`--search` is dfs, and was bfs");
    resumed(&sandbox, "--deadlock off", "`--deadlock` is off, and was on");
    resumed(&sandbox, "--continue", "`--continue` is through all violations, and was not given");
    resumed(&sandbox, "--seed 7", "`--seed` is 7, and was 0");
    resumed(&sandbox, "-D Max=4", "`-D Max` was not part of it");
    let sandbox = sandbox.file("Grow.tla", GROW.replace("% 3", "% 4"));
    resumed(&sandbox, "", "`Grow.tla` is not what it was");
    let sandbox = sandbox.file("Grow.tla", GROW).file("Grow.cfg", format!("{CONSTANTS}INVARIANT Small\n"));
    resumed(&sandbox, "", "`Grow.cfg` is not what it was");
    let sandbox = sandbox.file("Grow.cfg", CONSTANTS);
    assert_eq!(sandbox.run("check --workers 1 --resume kept Grow.tla").code(), Some(0));
}

#[test]
fn a_checkpoint_of_another_format_is_refused() {
    let sandbox = kept("");
    let manifest = sandbox.path().join("kept/manifest");
    let mut bytes = fs::read(&manifest).expect("there is a manifest");
    bytes[b"specline checkpoint\n".len()] += 1;
    fs::write(&manifest, bytes).expect("it can be written");
    refused(&sandbox, "--resume kept", ("SL0821", 151, "has format 5, and this is 4"));
}

#[test]
fn a_folder_without_a_checkpoint_is_refused() {
    let sandbox = grow("").folder("empty").file("empty/other", "text");
    refused(&sandbox, "--resume missing", ("SL0822", 255, "there is no checkpoint in `missing`"));
    refused(&sandbox, "--resume empty", ("SL0822", 255, "there is no checkpoint in `empty`"));
    let sandbox = sandbox.file("empty/manifest", "something else");
    refused(&sandbox, "--resume empty", ("SL0822", 255, "`manifest` is not one of Specline's"));
}

/// Any byte that is changed, and any that is missing.
#[test]
fn a_damaged_checkpoint_is_refused() {
    let sandbox = kept("");
    for (name, n_bytes_tried) in [("manifest", 40), ("segment-000001", 25)] {
        let path = sandbox.path().join("kept").join(name);
        let whole = fs::read(&path).expect("it was written");
        for try_number in 0..n_bytes_tried {
            // Spread over the file, the first and the last byte among them.
            let place = try_number * (whole.len() - 1) / (n_bytes_tried - 1);
            let mut changed = whole.clone();
            changed[place] ^= 0x10;
            fs::write(&path, &changed).expect("it can be written");
            let run = sandbox.run("check --workers 1 --resume kept Grow.tla");
            assert!(matches!(run.code(), Some(255 | 151)), "{name} {place}: {}", run.stdout());
            fs::write(&path, &whole[..place]).expect("it can be written");
            refused(&sandbox, "--resume kept", ("SL0822", 255, "damaged"));
        }
        fs::write(&path, &whole).expect("it can be written");
    }
    fs::rename(sandbox.path().join("kept/segment-000001"), sandbox.path().join("away")).expect("it is there");
    refused(&sandbox, "--resume kept", ("SL0822", 255, "cannot read `segment-000001`"));
}

#[test]
fn nothing_is_written_over_a_checkpoint() {
    let sandbox = kept("");
    refused(&sandbox, "--checkpoint kept", ("SL0824", 255, "there is a checkpoint in `kept` already"));
    refused(
        &sandbox,
        "--checkpoint Grow.cfg/kept",
        ("SL0823", 255, "cannot make the folder `Grow.cfg/kept`"),
    );
}

#[test]
fn a_folder_has_one_search_at_a_time() {
    let sandbox = grow("").file(
        "Endless.tla",
        "---- MODULE Endless ----\nEXTENDS Naturals\nVARIABLE x\nInit == x = 0\nNext == x' = x + 1\n====\n",
    );
    let sandbox = sandbox.file("Endless.cfg", "INIT Init\nNEXT Next\n");
    let endless = "check --format json --checkpoint kept --checkpoint-every 1ms Endless.tla";
    let (mut child, mut stdout) = started(&sandbox, endless);
    let mut line = String::new();
    while !line.contains(r#""kind":"checkpoint""#) {
        line.clear();
        stdout.read_line(&mut line).expect("output is UTF-8");
    }
    refused(&sandbox, "--checkpoint kept", ("SL0824", 255, "another search is using `kept`"));
    refused(&sandbox, "--resume kept", ("SL0824", 255, "another search is using `kept`"));
    signal(&child, "KILL");
    child.wait().expect("the program ends");
    refused(&sandbox, "--resume kept", ("SL0821", 151, "`Endless.tla` was part of it"));
}
