//! Conditions of a monitor's mapping: what shows that they hold, by z3 or within bounds, and which are not used.

use serde_json::Value;

use crate::sandbox::Sandbox;

/// Terms that only grow, told by messages.
const TERMS: &str = r#"---- MODULE Terms ----
EXTENDS Naturals
CONSTANT Node, Max
VARIABLES term, seen, msgs
vars == <<term, seen, msgs>>
Init == term = [n \in Node |-> 0] /\ seen = [n \in Node |-> 0] /\ msgs = {}
Grow(i, j) ==
    /\ i # j /\ term[i] < Max
    /\ term' = [term EXCEPT ![i] = @ + 1]
    /\ msgs' = msgs \cup {[type |-> "term", term |-> term[i] + 1, seen |-> seen[i], from |-> i, to |-> j]}
    /\ UNCHANGED seen
Hear(m) ==
    LET i == m.to IN
    /\ term' = [term EXCEPT ![i] = IF m.term > @ THEN m.term ELSE @]
    /\ seen' = [seen EXCEPT ![i] = IF m.term > term[i] THEN m.term ELSE @]
    /\ msgs' = msgs \ {m}
Start(i) == seen' = [seen EXCEPT ![i] = 0] /\ UNCHANGED <<term, msgs>>
Next == (\E i, j \in Node : Grow(i, j)) \/ (\E i \in Node : Start(i)) \/ \E m \in msgs : Hear(m)
Spec == Init /\ [][Next]_vars
====
"#;
const TERMS_MAPPING: &str = "[proof.constants]\nMax = '3'\n";

/// A node says that it is done once it heard of another one; REPORT is what it says besides that.
const ACKS: &str = r#"---- MODULE Acks ----
EXTENDS Naturals, FiniteSets
CONSTANT Node
VARIABLES acks, msgs
vars == <<acks, msgs>>
Init == acks = [n \in Node |-> {}] /\ msgs = {}
Ack(i, j) == i # j /\ msgs' = msgs \cup {[type |-> "ack", from |-> i, to |-> j, n |-> 0]} /\ acks[i] = acks[i] /\ UNCHANGED acks
Take(m) ==
    /\ m.type = "ack"
    /\ acks' = [acks EXCEPT ![m.to] = @ \cup {m.from}]
    /\ msgs' = msgs \ {m}
Drop(m) == m.type = "done" /\ acks[m.to] = acks[m.to] /\ msgs' = msgs \ {m} /\ UNCHANGED acks
Done(i, j) ==
    /\ i # j
    /\ Cardinality(acks[i]) >= 1
    /\ msgs' = msgs \cup {[type |-> "done", from |-> i, to |-> j, n |-> REPORT]}
    /\ UNCHANGED acks
Next == (\E i, j \in Node : Ack(i, j) \/ Done(i, j)) \/ \E m \in msgs : Take(m) \/ Drop(m)
Spec == Init /\ [][Next]_vars
====
"#;

fn sandbox(name: &str, spec: &str, (config, mapping): (&str, &str)) -> Sandbox {
    let network =
        "[network]\nvariable = \"msgs\"\nform = \"set\"\nfrom = 'message.from'\nto = 'message.to'\n";
    Sandbox::new()
        .file(&format!("{name}.tla"), spec)
        .file(
            &format!("{name}.cfg"),
            format!("SPECIFICATION Spec\nCONSTANTS\n{config}\nCHECK_DEADLOCK FALSE\n"),
        )
        .file("map.toml", format!("nodes = 'Node'\n{mapping}\n{network}"))
}

fn terms(conditions: &str) -> Sandbox {
    let mapping = format!("restart = \"Start\"\n{conditions}\n{TERMS_MAPPING}");
    sandbox("Terms", TERMS, ("Node = {a, b}\nMax = 1000000", &mapping))
}

fn acks(report: &str, rest: &str) -> Sandbox {
    sandbox("Acks", &ACKS.replace("REPORT", report), ("Node = {a, b, c}", rest))
}

/// Returns what `--describe` says about the conditions of the mapping.
fn written(sandbox: &Sandbox, name: &str) -> Vec<Value> {
    let run = sandbox.run(&format!("monitor {name}.tla --map map.toml --describe --format json"));
    let answer: Value = serde_json::from_str(run.stdout()).unwrap_or_else(|_| panic!("{}", run.stderr()));
    let all = answer["conditions"].as_array().expect("it has conditions").clone();
    all.into_iter().filter(|one| one["derived"] == false).collect()
}

#[test]
fn a_solver_shows_that_a_condition_holds_whatever_the_bounds_are() {
    let sandbox = terms("never = ['term[node] >= message.term']\nspent = ['message.term <= term[node]']");
    let found = written(&sandbox, "Terms");
    assert!(found.iter().all(|one| one["proof"] == "solved" && one["used"] == true), "{found:?}");
    sandbox.run("monitor Terms.tla --map map.toml --describe").says(0, &["shown by z3"]);
}

/// Within the bounds nobody sends anything at the largest term.
#[test]
fn what_holds_within_bounds_alone_is_not_shown_by_a_solver() {
    let found = written(&terms("never = ['term[node] >= 3']"), "Terms");
    assert_eq!(found[0]["proof"], "bounded", "{found:?}");
    assert!(found[0]["unsolved"].as_str().unwrap().contains("Grow"), "{found:?}");
}

#[test]
fn a_solver_is_not_asked_where_the_mapping_says_so() {
    let mapping = "never = ['term[node] >= message.term']\n[proof]\nsolver = false";
    let found = written(&terms(mapping), "Terms");
    assert_eq!((&found[0]["proof"], &found[0]["unsolved"]), (&"bounded".into(), &Value::Null), "{found:?}");
}

#[test]
fn a_condition_that_a_step_breaks_is_not_shown() {
    for wrong in ["term[node] = message.term", "seen[node] > message.seen", "message.term > 2"] {
        let found = written(&terms(&format!("never = ['{wrong}']")), "Terms");
        assert_eq!((&found[0]["proof"], &found[0]["used"]), (&"refuted".into(), &false.into()), "{found:?}");
    }
    let found = written(&terms("spent = ['message.term <= term[node] + 1']"), "Terms");
    assert_eq!(found[0]["proof"], "refuted", "{found:?}");
}

#[test]
fn a_message_that_only_allows_more_may_be_handled_at_once() {
    let sandbox = acks("0", "at_once = ['message.type = \"ack\"']");
    let found = written(&sandbox, "Acks");
    assert_eq!((&found[0]["proof"], &found[0]["used"]), (&"bounded".into(), &true.into()), "{found:?}");
    // What is sent says how many were handled: then it matters when that was.
    let found = written(&acks("Cardinality(acks[i])", "at_once = ['message.type = \"ack\"']"), "Acks");
    assert_eq!((&found[0]["proof"], &found[0]["used"]), (&"refuted".into(), &false.into()), "{found:?}");
    assert!(found[0]["unsolved"].as_str().unwrap().contains("not translated"), "{found:?}");
}

#[test]
fn messages_that_may_be_handled_at_once_are_found() {
    let run = acks("0", "").run("monitor Acks.tla --map map.toml --describe");
    run.says(0, &["is handled as it arrives, if:", "message.type = \"ack\"  (a suggestion, not used;"]);
    let run = acks("Cardinality(acks[i])", "").run("monitor Acks.tla --map map.toml --describe");
    assert!(!run.stdout().contains("is handled as it arrives"), "{}", run.stdout());
}

fn ack(from: &str) -> String {
    format!(r#"{{"event":"in","message":{{"type":"ack","from":"{from}","to":"a","n":0}}}}"#)
}

fn done(to: &str) -> String {
    format!(r#"{{"event":"out","message":{{"type":"done","from":"a","to":"{to}","n":0}}}}"#)
}

#[test]
fn what_is_handled_at_once_does_not_wait_and_hides_no_alarm() {
    let run = |lines: &[String]| {
        let sandbox = acks("0", "at_once = ['message.type = \"ack\"']");
        let sandbox = sandbox.file("in.ndjson", lines.join("\n") + "\n");
        sandbox.run("monitor Acks.tla --map map.toml --node a --input in.ndjson --format json")
    };
    let fine = run(&[ack("b"), ack("b"), ack("c"), done("b"), done("c")]);
    let answer: Value = serde_json::from_str(fine.stdout().lines().last().unwrap()).unwrap();
    assert_eq!((&answer["at_once"], &answer["pending_max"]), (&3.into(), &0.into()), "{answer}");
    assert_eq!((&answer["explained"], &answer["states_max"]), (&2.into(), &1.into()), "{answer}");
    run(&[done("c"), ack("b")]).says(32, &["\"line\":1"]);
}

#[test]
fn a_test_of_a_monitor_with_these_conditions_finds_no_false_alarm() {
    let sandbox = acks("0", "at_once = ['message.type = \"ack\"']");
    let run = sandbox.run("monitor test Acks.tla --map map.toml --walks 200 --depth 20 --format json");
    let answer: Value = serde_json::from_str(run.stdout()).unwrap();
    assert_eq!((&answer["false_alarms"], &answer["undecided"]), (&0.into(), &0.into()), "{answer}");
}

/// With the mistake, a server forgets its term when it starts again: then terms do not only grow.
#[test]
fn a_mistake_in_the_specification_makes_a_condition_wrong() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/raft");
    let read = |name: &str| std::fs::read_to_string(folder.join(name)).expect("the folder has it");
    let watch = |config: String| {
        let sandbox = Sandbox::new().file("Raft.tla", read("Raft.tla")).file("Raft.cfg", config);
        let sandbox = sandbox.file("map.toml", read("monitor.toml")).file("in.ndjson", "");
        sandbox.run("monitor Raft.tla --map map.toml --node n1 --input in.ndjson")
    };
    let config = read("RaftMonitor.cfg");
    let right = watch(config.clone());
    assert!(!right.stderr().contains("SL0889"), "{}", right.stderr());
    let wrong = watch(config.replace("Bug = \"none\"", "Bug = \"forget-vote\""));
    let told = "`term[node] > message.term` of the mapping is not used";
    assert!(wrong.stderr().contains("SL0889") && wrong.stderr().contains(told), "{}", wrong.stderr());
}

#[test]
fn looking_for_conditions_is_ended_by_a_signal() {
    let raft = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/raft");
    // A build for tests looks for minutes. `timeout` gives the exit code of the program, or 137 if it had to be killed.
    let mut command = std::process::Command::new("timeout");
    command.args(["--preserve-status", "--signal=TERM", "--kill-after=60", "2"]);
    command.arg(env!("CARGO_BIN_EXE_specline")).args(["monitor", "Raft.tla", "-c", "RaftMonitor.cfg"]);
    let output =
        command.args(["--map", "monitor.toml", "--describe"]).current_dir(raft).output().expect("it starts");
    assert_eq!(output.status.code(), Some(130), "{}", String::from_utf8_lossy(&output.stderr));
}
