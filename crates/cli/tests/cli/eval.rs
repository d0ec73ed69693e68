//! `specline eval`: values of expressions, in states of traces, at a prompt; compared with what TLC prints.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use crate::sandbox::{Run, Sandbox};

const QUEUE: &str = "---- MODULE Queue ----\nEXTENDS Naturals, Sequences\nCONSTANT Max\nVARIABLES queue, sent\n\
                     Init == queue = <<>> /\\ sent = 0\n\
                     Send == Len(queue) <= Max /\\ queue' = Append(queue, sent) /\\ sent' = sent + 1\n\
                     Receive == queue /= <<>> /\\ queue' = Tail(queue) /\\ sent' = sent\n\
                     Next == Send \\/ Receive\nTwice(x) == x + x\nShort == Len(queue) <= Max\n====\n";
const CONFIG: &str = "CONSTANT Max = 2\nINIT Init\nNEXT Next\nINVARIANT Short\n";

fn queue() -> Sandbox {
    Sandbox::new().file("Queue.tla", QUEUE).file("Queue.cfg", CONFIG)
}

/// Runs `specline eval` with options that are separated by blanks, and an expression.
fn eval(sandbox: &Sandbox, options: &str, expression: &str) -> Run {
    let output = sandbox.command(&format!("eval {options}")).arg(expression).output();
    Run::of(&format!("eval {options} {expression}"), output.expect("the program starts"))
}

/// Runs a command whose standard input has these lines.
pub fn with_lines(sandbox: &Sandbox, command: &str, lines: &str) -> Run {
    let mut child = sandbox.command(command);
    let child = child.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = child.spawn().expect("the program starts");
    child.stdin.take().expect("it has one").write_all(lines.as_bytes()).expect("it reads all lines");
    Run::of(command, child.wait_with_output().expect("it ends"))
}

#[test]
fn constant_expressions_have_values() {
    let sandbox = Sandbox::new();
    for (expression, value) in [
        ("1 + 1", "2\n"),
        ("-1", "-1\n"),
        ("{x \\in 1..20 : x % 7 = 3}", "{3, 10, 17}\n"),
        ("2^70", "1180591620717411303424\n"),
        ("LET f[n \\in Nat] == IF n = 0 THEN 1 ELSE n * f[n - 1] IN f[20]", "2432902008176640000\n"),
    ] {
        let run = eval(&sandbox, "", expression);
        run.ends_with(0);
        assert_eq!(run.stdout(), value, "{expression}");
    }
    eval(&sandbox, "-e FiniteSetsExt", "Max({1, 3})").says(0, &["3"]);
    eval(&sandbox, "-e NoSuchModule", "1").ends_with(150);
}

#[test]
fn values_are_shown_as_json_and_as_trees() {
    let sandbox = Sandbox::new();
    let run = eval(&sandbox, "--format json", "[a |-> {1}]");
    let told =
        r##"{"kind":"value","text":"[a |-> {1}]","value":{"a":{"#set":[{"#bigint":"1"}]}},"printed":[]}"##;
    assert_eq!(run.stdout().trim_end(), told);
    let run = eval(&sandbox, "--format tree", "<<TRUE, {}>>");
    assert_eq!(run.stdout(), "sequence of 2 elements\n├─ [1] TRUE\n└─ [2] {}\n");
    eval(&sandbox, "--format json", "1 + TRUE").says(75, &["SL0703", "\"kind\""]);
}

#[test]
fn what_has_no_value_is_told() {
    let sandbox = Sandbox::new();
    eval(&sandbox, "", "Head(<<>>)").says(75, &["SL0711"]);
    eval(&sandbox, "", "1 +").ends_with(150);
    eval(&sandbox, "", "nobody").says(150, &["SL0301", "`nobody` is not defined"]);
    eval(&sandbox, "", "[<<1>> EXCEPT ![2] = 3]").says(0, &["<<1>>", "SL0719"]);
    eval(&sandbox, "", "{x \\in Nat : x > 3}").says(75, &["SL0704"]);
    eval(&sandbox, "--at t.json:1", "1").says(1, &["--module"]);
    eval(&queue(), "-m Queue", "Len(queue)").says(151, &["SL0809", "depends on a state"]);
    eval(&queue(), "-m Queue", "[]Short").says(151, &["SL0809", "whole behaviours"]);
}

#[test]
fn a_specification_lends_its_names() {
    let sandbox = queue();
    eval(&sandbox, "-m Queue.tla", "Twice(Max)").says(0, &["4"]);
    eval(&sandbox, "-m Queue", "Cardinality({Max})").says(0, &["1"]);
    // Without a behaviour and without a configuration, definitions can still be used.
    let bare = Sandbox::new().file("Bare.tla", "---- MODULE Bare ----\nVARIABLE x\nF(a) == <<a, a>>\n====\n");
    eval(&bare, "-m Bare", "F(1)").says(0, &["<<1, 1>>"]);
}

#[test]
fn a_state_of_a_trace_has_values() {
    let sandbox = queue();
    sandbox.run("check Queue.tla --trace bug.itf.json").ends_with(12);
    let at = "-m Queue --at bug.itf.json:2";
    eval(&sandbox, at, "<<queue, sent, queue'>>").says(0, &["<<<<0>>, 1, <<0, 1>>>>"]);
    eval(&sandbox, at, "ENABLED Receive").says(0, &["TRUE"]);
    eval(&sandbox, "-m Queue --at bug.itf.json:1", "<<ENABLED Receive, ENABLED Send>>")
        .says(0, &["<<FALSE, TRUE>>"]);
    eval(&sandbox, "-m Queue --at bug.itf.json:4", "queue'").says(151, &["SL0809", "about a step"]);
    eval(&sandbox, "-m Queue --at bug.itf.json:5", "sent").says(151, &["SL0809", "has 4 states"]);
    let run = sandbox.run("eval -m Queue --at bug.itf.json:2 --next");
    run.says(0, &["1: Send", "queue: appended 1", "2: Receive", "queue: removed"]);
    sandbox.run("eval -m Queue --next").says(0, &["1: initial state", "sent = 0"]);
}

#[test]
fn the_prompt_remembers_definitions_and_takes_steps() {
    let sandbox = queue();
    let lines = "F(x) == x + 1\nF(2)\nG == F(3)\nF(x) == x * 10\nG\nRECURSIVE Fact(_) Fact(n) == \\\n  \
                 IF n = 0 THEN 1 ELSE n * Fact(n - 1)\nFact(5)\nCardinality(x) == 7\nCardinality(1)\n1 +\n:nonsense\n\
                 :next\n:take 1\n:next\n:take 1\nqueue\n:take 1\n:back\nsent\n:path\n:defs\n:quit\n1 / 0\n";
    let run = with_lines(&sandbox, "eval -m Queue", lines);
    let told = ["defined: F", "\n3\n", "\n30\n", "\n120\n", "\n7\n", "no command `:nonsense`", "<<0>>"];
    run.says(0, &told);
    assert!(!run.stderr().contains("division"), "nothing is read behind `:quit`: {}", run.stderr());
    assert!(!run.stderr().contains("is defined twice"), "{}", run.stderr());
}

/// The lines that TLC printed for each expression of a case: none where it has no value.
fn recorded(expect: &Path) -> Vec<Vec<String>> {
    let text = std::fs::read_to_string(expect).expect("the case was recorded");
    let table: toml::Table = text.parse().expect("it is TOML");
    let lines = table.get("output").and_then(toml::Value::as_array).expect("it printed");
    split(lines.iter().map(|line| line.as_str().expect("a text").to_owned()))
}

/// The lines behind each mark `"#N"`.
fn split(lines: impl Iterator<Item = String>) -> Vec<Vec<String>> {
    let mut found: Vec<Vec<String>> = Vec::new();
    for line in lines {
        match (line == format!("\"#{}\"", found.len()), found.last_mut()) {
            (true, _) => found.push(Vec::new()),
            (false, Some(last)) => last.push(line),
            (false, None) => {}
        }
    }
    found
}

/// The expressions of a case, one a line.
fn expressions(module: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(module).expect("a module");
    let inside = |line: &str| {
        let (_, rest) = line.split_once("AssertError(\"no\", PrintT(")?;
        Some(rest.strip_suffix(")) \\in BOOLEAN")?.to_owned())
    };
    text.lines().filter_map(inside).collect()
}

#[test]
fn tricky_expressions_have_tlcs_values() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../suite/expressions");
    let mut n_compared = 0;
    for expect in test_kit::files(&folder, "expect") {
        let module: PathBuf = expect.with_extension("tla");
        let (recorded, expressions) = (recorded(&expect), expressions(&module));
        assert_eq!(recorded.len(), expressions.len(), "{}", module.display());
        let marked = expressions.iter().enumerate().map(|(at, text)| format!("\"#{at}\"\n{text}\n"));
        let run = with_lines(&Sandbox::new(), "eval", &marked.collect::<String>());
        run.ends_with(0);
        let ours = split(run.stdout().lines().map(str::to_owned));
        for ((text, theirs), ours) in expressions.iter().zip(&recorded).zip(&ours) {
            assert_eq!(ours, theirs, "{text}");
            n_compared += 1;
        }
    }
    assert!(n_compared >= 150, "{n_compared}");
}
