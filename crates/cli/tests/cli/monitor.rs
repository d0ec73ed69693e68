//! A process watched from its messages: what is derived, what is refused, what raises an alarm.

use crate::sandbox::Sandbox;

/// Each node asks another for its turn, and answers once for each request.
const PING: &str = r#"---- MODULE Ping ----
EXTENDS Naturals
CONSTANT Node
VARIABLES asked, answered, msgs, total
vars == <<asked, answered, msgs, total>>
Init == asked = [n \in Node |-> 0] /\ answered = [n \in Node |-> 0] /\ msgs = {} /\ total = 0
Ask(i, j) ==
    /\ i # j /\ asked[i] < 3 /\ total < 9
    /\ asked' = [asked EXCEPT ![i] = @ + 1]
    /\ msgs' = msgs \cup {[type |-> "ask", n |-> asked[i] + 1, from |-> i, to |-> j]}
    /\ total' = total + 1
    /\ UNCHANGED answered
Answer(m) ==
    LET i == m.to IN
    /\ m.type = "ask"
    /\ answered' = [answered EXCEPT ![i] = @ + 1]
    /\ msgs' = (msgs \ {m}) \cup {[type |-> "answer", n |-> m.n, from |-> i, to |-> m.from, count |-> answered[i] + 1]}
    /\ UNCHANGED <<asked, total>>
Take(m) == m.type = "answer" /\ msgs' = msgs \ {m} /\ asked[m.to] > 0 /\ UNCHANGED <<asked, answered, total>>
Lose(m) == msgs' = msgs \ {m} /\ UNCHANGED <<asked, answered, total>>
Next == (\E i, j \in Node : Ask(i, j)) \/ \E m \in msgs : Answer(m) \/ Take(m) \/ Lose(m)
Spec == Init /\ [][Next]_vars
====
"#;
const CONFIG: &str = "SPECIFICATION Spec\nCONSTANT Node = {a, b}\nCHECK_DEADLOCK FALSE\n";
pub const MAPPING: &str = r#"nodes = 'Node'
ghost = ["total"]
proof = { pairs = 2000 }

[network]
variable = "msgs"
form = "set"
from = 'message.from'
to = 'message.to'
"#;

pub fn ping(mapping: &str) -> Sandbox {
    Sandbox::new().file("Ping.tla", PING).file("Ping.cfg", CONFIG).file("map.toml", mapping)
}

fn ask(n: u32) -> String {
    format!(r#"{{"event":"in","message":{{"type":"ask","n":{n},"from":"b","to":"a"}}}}"#)
}

fn answer(n: u32, count: u32) -> String {
    format!(r#"{{"event":"out","message":{{"type":"answer","n":{n},"from":"a","to":"b","count":{count}}}}}"#)
}

fn watch(lines: &[String]) -> crate::sandbox::Run {
    let sandbox = ping(MAPPING).file("in.ndjson", &(lines.join("\n") + "\n"));
    sandbox.run("monitor Ping.tla --map map.toml --node a --input in.ndjson")
}

#[test]
fn the_slice_of_a_node_is_derived() {
    ping(MAPPING).run("monitor Ping.tla --map map.toml --describe").check("monitor-describe");
}

#[test]
fn messages_that_the_specification_allows_raise_no_alarm() {
    watch(&[ask(1), ask(2), answer(1, 1), answer(2, 2)]).check("monitor-fine");
}

#[test]
fn a_message_with_a_wrong_field_is_an_alarm() {
    let run = watch(&[ask(1), answer(1, 1), ask(2), answer(2, 3)]);
    assert!(run.stdout().contains("alarm[SL0887]"), "{}", run.stdout());
    run.check("monitor-alarm");
}

#[test]
fn an_answer_to_nothing_is_an_alarm() {
    let run = watch(&[answer(1, 1)]);
    assert!(run.stdout().contains("SL0887") && run.stdout().contains("line 1"), "{}", run.stdout());
}

#[test]
fn an_answer_that_comes_twice_is_an_alarm() {
    let run = watch(&[ask(1), answer(1, 1), answer(1, 1)]);
    assert!(run.stdout().contains("of line 3"), "{}", run.stdout());
}

#[test]
fn messages_of_one_connection_are_handled_in_order() {
    let run = watch(&[ask(1), ask(2), answer(2, 1)]);
    assert!(run.stdout().contains("of line 3"), "{}", run.stdout());
}

#[test]
fn a_line_that_is_no_event_is_a_gap_and_nothing_is_judged_after_it() {
    let run = watch(&[ask(1), "{".to_owned(), answer(7, 7)]);
    assert!(run.stdout().contains("SL0886") && run.stdout().contains("SL0888"), "{}", run.stdout());
    assert!(run.stdout().contains("alarms: 0"), "{}", run.stdout());
}

#[test]
fn an_action_that_reads_another_node_is_refused_with_the_line() {
    let spec = PING.replace("i # j /\\ asked[i] < 3", "i # j /\\ asked[j] < 3");
    let sandbox = ping(MAPPING).file("Ping.tla", &spec);
    let run = sandbox.run("monitor Ping.tla --map map.toml --describe");
    assert!(run.stderr().contains("SL0885") && run.stderr().contains("Ping.tla:8"), "{}", run.stderr());
}

#[test]
fn a_mapping_with_an_unknown_variable_is_refused() {
    let sandbox = ping(&MAPPING.replace("\"total\"", "\"totals\""));
    let run = sandbox.run("monitor Ping.tla --map map.toml --describe");
    assert!(
        run.stderr().contains("SL0884") && run.stderr().contains("did you mean `total`"),
        "{}",
        run.stderr()
    );
}

#[test]
fn behaviours_of_the_specification_raise_no_alarm_and_changed_ones_do() {
    let run = ping(MAPPING).run("monitor test Ping.tla --map map.toml --walks 200 --depth 20 --format json");
    let answer: serde_json::Value = serde_json::from_str(run.stdout()).unwrap();
    assert_eq!(answer["false_alarms"], 0, "{answer}");
    assert!(answer["traces"].as_u64().unwrap() > 200, "{answer}");
    let field = &answer["mutants"][0];
    assert!(field["caught"].as_u64().unwrap() * 2 > field["tried"].as_u64().unwrap(), "{answer}");
}

/// Messages stay where they are: a node leads once it has the consent of two others.
const LEAD: &str = r#"---- MODULE Lead ----
EXTENDS Naturals, FiniteSets
CONSTANT Node
VARIABLES leads, msgs
vars == <<leads, msgs>>
Init == leads = [n \in Node |-> 0] /\ msgs = {}
Send(m) == msgs' = msgs \cup {m}
Consent(i, j) == i # j /\ Send([type |-> "yes", from |-> i, to |-> j]) /\ leads[i] = 0 /\ UNCHANGED leads
Win(i, j) ==
    /\ i # j
    /\ Cardinality({m \in msgs : m.type = "yes" /\ m.to = i}) >= 2
    /\ leads' = [leads EXCEPT ![i] = 1]
    /\ Send([type |-> "lead", from |-> i, to |-> j])
Next == \E i, j \in Node : Consent(i, j) \/ Win(i, j)
Spec == Init /\ [][Next]_vars
====
"#;
const LEAD_CONFIG: &str = "SPECIFICATION Spec\nCONSTANT Node = {a, b, c}\nCHECK_DEADLOCK FALSE\n";
const LEAD_MAPPING: &str = r#"nodes = 'Node'
[network]
variable = "msgs"
form = "set"
from = 'message.from'
to = 'message.to'
"#;

fn yes(from: &str) -> String {
    format!(r#"{{"event":"in","message":{{"type":"yes","from":"{from}","to":"a"}}}}"#)
}

fn lead(to: &str) -> String {
    format!(r#"{{"event":"out","message":{{"type":"lead","from":"a","to":"{to}"}}}}"#)
}

fn lead_sandbox() -> Sandbox {
    Sandbox::new().file("Lead.tla", LEAD).file("Lead.cfg", LEAD_CONFIG).file("map.toml", LEAD_MAPPING)
}

fn watch_lead(lines: &[String]) -> crate::sandbox::Run {
    let sandbox = lead_sandbox().file("in.ndjson", lines.join("\n") + "\n");
    sandbox.run("monitor Lead.tla --map map.toml --node a --input in.ndjson")
}

#[test]
fn messages_that_stay_in_the_network_can_be_used_together_and_again() {
    watch_lead(&[yes("b"), yes("c"), lead("b"), lead("c"), lead("b")]).says(0, &["3 explained", "alarms: 0"]);
    watch_lead(&[yes("b"), yes("b"), lead("b")]).says(32, &["of line 3"]);
    watch_lead(&[yes("b"), lead("b"), yes("c")]).says(32, &["of line 2"]);
}

#[test]
fn all_behaviours_up_to_a_depth_raise_no_alarm() {
    let run = lead_sandbox().run("monitor test Lead.tla --map map.toml --all --depth 4 --walks 100000");
    run.says(0, &["all ", "0 false alarms, 0 undecided"]);
    let run = lead_sandbox().run("monitor test Lead.tla --map map.toml --all --depth 6 --walks 50");
    assert!(run.stdout().starts_with("50 behaviours"), "{}", run.stdout());
}

#[test]
fn the_answer_of_a_test_does_not_depend_on_the_number_of_threads() {
    let run = |workers: u32| {
        let args = format!("monitor test Lead.tla --map map.toml --walks 220 --depth 8 --workers {workers}");
        lead_sandbox().run(&args).stdout().to_owned()
    };
    assert_eq!(run(1), run(3));
}

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
const TERMS_CONFIG: &str =
    "SPECIFICATION Spec\nCONSTANTS\nNode = {a, b}\nMax = 1000000\nCHECK_DEADLOCK FALSE\n";
const TERMS_MAPPING: &str = r#"nodes = 'Node'
restart = "Start"
CONDITIONS
[proof.constants]
Max = '3'
[network]
variable = "msgs"
form = "set"
from = 'message.from'
to = 'message.to'
"#;

fn terms(conditions: &str) -> Sandbox {
    let mapping = TERMS_MAPPING.replace("CONDITIONS", conditions);
    Sandbox::new().file("Terms.tla", TERMS).file("Terms.cfg", TERMS_CONFIG).file("map.toml", &mapping)
}

fn term(event: &str, term: u32, seen: u32) -> String {
    let (from, to) = if event == "in" { ("b", "a") } else { ("a", "b") };
    format!(
        r#"{{"event":"{event}","message":{{"type":"term","term":{term},"seen":{seen},"from":"{from}","to":"{to}"}}}}"#
    )
}

const RIGHT: &str = "never = ['term[node] >= message.term']\nspent = ['message.term <= term[node]']";

#[test]
fn conditions_are_shown_to_hold_within_bounds() {
    let run = terms(&format!("{RIGHT}\n[proof]\nsolver = false"))
        .run("monitor Terms.tla --map map.toml --describe --format json");
    let answer: serde_json::Value = serde_json::from_str(run.stdout()).unwrap();
    let conditions = answer["conditions"].as_array().unwrap();
    let written: Vec<_> = conditions.iter().filter(|one| one["derived"] == false).collect();
    assert_eq!(written.len(), 2, "{answer}");
    assert!(
        written.iter().all(|one| one["proof"] == "bounded" && one["states"].as_u64().unwrap() > 10),
        "{answer}"
    );
}

#[test]
fn conditions_are_suggested_and_not_used_unless_asked_for() {
    let run = terms("").run("monitor Terms.tla --map map.toml --describe");
    run.says(0, &["term[node] >= message.term  (a suggestion, not used; "]);
    let lines = [term("in", 1, 0), term("in", 1, 0), term("out", 2, 1)];
    let sandbox = terms("").file("in.ndjson", lines.join("\n") + "\n");
    let run = sandbox.run("monitor Terms.tla --map map.toml --node a --input in.ndjson --format json");
    assert!(run.stdout().contains("\"at_once\":0"), "{}", run.stdout());
}

#[test]
fn a_wrong_condition_is_refuted_with_a_state_and_not_used() {
    let sandbox = terms("never = ['term[node] = message.term', 'seen[node] > message.seen']")
        .file("in.ndjson", [term("out", 1, 0), term("out", 2, 0)].join("\n") + "\n");
    let run = sandbox.run("monitor Terms.tla --map map.toml --node a --input in.ndjson");
    assert!(
        run.stderr().contains("SL0889") && run.stderr().contains("correct the formula"),
        "{}",
        run.stderr()
    );
    assert!(run.stdout().contains("2 explained"), "{}", run.stdout());
    let trusted = sandbox.run("monitor Terms.tla --map map.toml --describe --trust");
    trusted.says(0, &["(mapping; trusted, not shown"]);
}

#[test]
fn a_search_among_time_outs_without_end_is_ended_by_a_condition() {
    let run = |conditions: &str| {
        let rest = "[output]\nlost = true\n[limits]\nstates = 300\n";
        let mapping = TERMS_MAPPING.replace("CONDITIONS", conditions) + rest;
        let sandbox = terms("").file("map.toml", mapping).file("in.ndjson", term("out", 5, 9) + "\n");
        sandbox.run("monitor Terms.tla --map map.toml --node a --input in.ndjson")
    };
    // Nothing was seen, whatever the term.
    run(RIGHT).says(32, &["of line 1", "this relies on: term[node] >= message.term"]);
    run("").says(21, &["SL0888", "more states than"]);
}

#[test]
fn what_is_received_and_of_no_use_is_not_kept() {
    let lines: Vec<String> = (0..50).map(|_| term("in", 1, 0)).collect();
    let sandbox = terms(RIGHT).file("in.ndjson", term("out", 1, 0) + "\n" + &lines.join("\n") + "\n");
    let run = sandbox.run("monitor Terms.tla --map map.toml --node a --input in.ndjson --format json");
    let answer: serde_json::Value = serde_json::from_str(run.stdout().lines().last().unwrap()).unwrap();
    assert_eq!((&answer["at_once"], &answer["pending_max"]), (&50.into(), &0.into()), "{answer}");
}

#[test]
fn equal_messages_that_wait_are_counted_up_to_a_few() {
    let lines: Vec<String> = (0..50).map(|_| term("in", 7, 0)).collect();
    let mapping =
        TERMS_MAPPING.replace("CONDITIONS", "") + "[input]\norder = \"any\"\n[limits]\npending = 10\n";
    let lines = lines.join("\n") + "\n" + &term("out", 8, 7) + "\n" + &term("out", 9, 8) + "\n";
    let sandbox = terms("").file("map.toml", mapping).file("in.ndjson", lines);
    let run = sandbox.run("monitor Terms.tla --map map.toml --node a --input in.ndjson --format json");
    let alarm: serde_json::Value = serde_json::from_str(run.stdout().lines().next().unwrap()).unwrap();
    assert_eq!((&alarm["event"], &alarm["line"]), (&"alarm".into(), &52.into()), "{alarm}");
    let answer: serde_json::Value = serde_json::from_str(run.stdout().lines().last().unwrap()).unwrap();
    assert_eq!((&answer["undecided"], &answer["pending_max"]), (&0.into(), &4.into()), "{answer}");
}

#[test]
fn what_came_before_a_restart_may_have_been_handled_and_is_lost_with_it() {
    let restart = r#"{"event":"restart"}"#.to_owned();
    let run = |lines: &[String]| {
        let sandbox = terms(RIGHT).file("in.ndjson", lines.join("\n") + "\n");
        sandbox.run("monitor Terms.tla --map map.toml --node a --input in.ndjson")
    };
    // The term is on disk, and what was seen is not.
    run(&[term("in", 4, 0), restart.clone(), term("out", 5, 0)]).says(0, &["1 explained"]);
    run(&[term("in", 4, 0), restart.clone(), term("out", 1, 0)]).says(0, &["1 explained"]);
    run(&[term("in", 4, 0), restart.clone(), term("out", 5, 4)]).says(32, &["of line 3"]);
    run(&[term("in", 4, 0), restart, term("in", 4, 0), term("out", 5, 4)]).says(0, &["1 explained"]);
}

#[test]
fn an_alarm_is_written_as_a_page_handed_to_a_command_and_can_be_raised_again() {
    let sandbox = ping(MAPPING).file("in.ndjson", ask(1) + "\n" + &answer(1, 7) + "\n");
    let watch = "monitor Ping.tla --map map.toml --node a --format json";
    let command = "cat_to_alarm.sh";
    let sandbox = sandbox.script(command, "cat > alarm.json");
    let run = sandbox.run(&format!(
        "{watch} --input in.ndjson --record again.ndjson --page alarm.html --on-alarm ./{command}"
    ));
    run.ends_with(32);
    let alarm: serde_json::Value = serde_json::from_str(&sandbox.read("alarm.json")).unwrap();
    assert_eq!((&alarm["event"], &alarm["line"]), (&"alarm".into(), &2.into()));
    let page = sandbox.read("alarm.html");
    assert!(page.contains("<title>a does not follow Ping</title>"), "{page}");
    assert_eq!(sandbox.read("again.ndjson"), sandbox.read("in.ndjson"));
    let again = sandbox.run(&format!("{watch} --input again.ndjson"));
    assert_eq!(again.stdout(), run.stdout());
    // Told before the watch, not at the first alarm.
    sandbox
        .run(&format!("{watch} --input in.ndjson --page nowhere/alarm.html"))
        .says(255, &["nowhere/alarm.html"]);
}

#[test]
fn a_watch_ends_on_a_signal_with_what_it_saw_and_reads_its_files_again_on_another() {
    use std::io::{BufRead, BufReader, Read, Write};
    use std::process::Stdio;
    let sandbox = ping(MAPPING);
    let mut child = sandbox
        .command("monitor Ping.tla --map map.toml --node a")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let mut stderr = BufReader::new(child.stderr.take().unwrap());
    let mut stdout = BufReader::new(child.stdout.take().unwrap());
    let signal = |name: &str| {
        let sent = std::process::Command::new("kill").args([name, &child.id().to_string()]).status();
        assert!(sent.unwrap().success());
    };
    // An alarm shows that it watches.
    writeln!(stdin, "{}", answer(1, 1)).unwrap();
    let mut line = String::new();
    stdout.read_line(&mut line).unwrap();
    assert!(line.contains("SL0887"), "{line}");
    let mut next = || {
        let mut line = String::new();
        while !line.contains("files") {
            line.clear();
            assert!(stderr.read_line(&mut line).unwrap() > 0, "a line about the files comes");
        }
        line
    };
    std::fs::write(sandbox.path().join("map.toml"), "nodes = 7").unwrap();
    signal("-HUP");
    assert!(next().contains("goes on with those of before"));
    std::fs::write(sandbox.path().join("map.toml"), MAPPING).unwrap();
    signal("-HUP");
    assert!(next().contains("the files were read again"));
    signal("-TERM");
    let mut rest = String::new();
    stdout.read_to_string(&mut rest).unwrap();
    assert!(rest.contains("0 in, 1 out") && rest.contains("alarms: 1"), "{rest}");
    assert_eq!(child.wait().unwrap().code(), Some(32));
}

/// Watches a server of `examples/raft`, in which `reply` answers the entry of a new leader in the place of the one
/// that the server has.
fn conflict(reply: &str) -> crate::sandbox::Run {
    let raft = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/raft");
    let copy = |name: &str| std::fs::read_to_string(raft.join(name)).expect("the example is there");
    let append = |from: &str, term: u32, value: &str| {
        format!(
            r#"{{"event":"in","from":"{from}","message":{{"type":"append","term":{term},"prevIndex":0,"prevTerm":0,"entries":[{{"term":{term},"value":"{value}"}}],"commit":0}}}}"#
        )
    };
    let answer = |to: &str, term: u32, rest: &str| {
        format!(r#"{{"event":"out","to":"{to}","message":{{"type":"reply","term":{term},{rest}}}}}"#)
    };
    let right = r#""ok":true,"match":1"#;
    let lines =
        [append("n1", 1, "v1"), answer("n1", 1, right), append("n3", 2, "v2"), answer("n3", 2, reply)]
            .join("\n");
    let sandbox = Sandbox::new()
        .file("Raft.tla", copy("Raft.tla"))
        .file("Raft.cfg", copy("RaftMonitor.cfg"))
        .file("map.toml", copy("monitor.toml"))
        .file("in.ndjson", lines + "\n");
    sandbox.run("monitor Raft.tla --map map.toml --node n2 --input in.ndjson")
}

/// RedisRaft 52: an entry that was removed from the log stayed in a cache, and what fitted the log was rejected.
#[test]
fn a_follower_that_rejects_what_fits_its_log_is_an_alarm() {
    conflict(r#""ok":true,"match":1"#).says(0, &["2 explained", "alarms: 0, undecided: 0"]);
    conflict(r#""ok":false,"match":1"#).says(32, &["cannot have sent the message of line 4 to `n3`"]);
}

/// Messages that are handled in any order, may come twice, and are answered without any change.
#[test]
fn the_monitor_of_raftos_explains_what_its_specification_does() {
    let specs = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../specs");
    let mut sandbox = Sandbox::new();
    for name in ["raftos/RaftOS.tla", "raftos/RaftOS.cfg", "raftos/monitor.toml", "network/UdpNetwork.tla"] {
        let (_, file) = name.split_once('/').expect("it is in a folder");
        sandbox = sandbox.file(file, std::fs::read(specs.join(name)).expect("the folder has it"));
    }
    let run = sandbox.run("monitor test RaftOS.tla -c RaftOS.cfg --map monitor.toml --walks 20 --depth 20");
    run.says(0, &["0 false alarms, 0 undecided"]);
}

/// How often a message of a bag was handled does not show where several are looked at.
#[test]
fn an_action_that_looks_at_several_messages_of_a_bag_is_refused() {
    let module = "---- MODULE Count ----\nEXTENDS Naturals\nCONSTANT Node\nVARIABLES seen, msgs\n\
                  Init == seen = [n \\in Node |-> 0] /\\ msgs = [m \\in {} |-> 0]\n\
                  Look(i) == seen' = [seen EXCEPT ![i] = msgs[[to |-> i, from |-> i]]] /\\ UNCHANGED msgs\n\
                  Next == \\E i \\in Node : Look(i)\nSpec == Init /\\ [][Next]_<<seen, msgs>>\n====\n";
    let config = "SPECIFICATION Spec\nCONSTANT Node = {a, b}\n";
    let mapping = MAPPING.replace("ghost = [\"total\"]", "").replace("\"set\"", "\"bag\"");
    let sandbox =
        Sandbox::new().file("Count.tla", module).file("Count.cfg", config).file("map.toml", mapping);
    let run = sandbox.run("monitor Count.tla --map map.toml --describe");
    run.says(150, &["SL0885", "`Look` looks at several messages of a bag at once"]);
}
