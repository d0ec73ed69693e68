//! `specline trace`: kept traces shown in every form, compared, and files that are no traces.

use crate::sandbox::Sandbox;

const RELAY: &str = include_str!("../../../trace/tests/trace/data/tlc/Relay.itf.json");
const LASSO: &str = include_str!("../../../trace/tests/trace/data/tlc/Lasso.itf.json");
const LASSO_BY_TLC: &str = include_str!("../../../trace/tests/trace/data/tlc/Lasso.tlc.txt");

#[test]
fn a_trace_tells_what_each_step_changed() {
    let sandbox = Sandbox::new().file("relay.itf.json", RELAY);
    sandbox.run("trace show relay.itf.json").check("trace-show");
    sandbox.run("trace show --full relay.itf.json").check("trace-show-full");
    sandbox.run("trace show --color always relay.itf.json").check("trace-show-colours");
}

#[test]
fn a_trace_in_other_forms() {
    let sandbox = Sandbox::new().file("lasso.itf.json", LASSO);
    assert_eq!(sandbox.run("trace show --format tlc lasso.itf.json").stdout(), LASSO_BY_TLC);
    assert_eq!(sandbox.run("trace show --format itf lasso.itf.json").stdout(), LASSO);
    sandbox.run("trace show --format json lasso.itf.json").check("trace-show-json");
}

#[test]
fn a_trace_as_lanes() {
    let sandbox = Sandbox::new().file("relay.itf.json", RELAY);
    sandbox.run("trace show --format mermaid relay.itf.json").check("trace-mermaid");
    sandbox.run("trace show --format plantuml relay.itf.json").check("trace-plantuml");
    sandbox.run("trace show --format shiviz relay.itf.json").check("trace-shiviz");
    let sandbox = sandbox.file("specline.toml", "[trace]\nprocesses = [\"b\"]\nmessages = [\"inbox\"]\n");
    sandbox.run("trace show --format mermaid relay.itf.json").check("trace-mermaid-settings");
    let sandbox = sandbox.file("specline.toml", "[trace]\nprocess = 1\n");
    sandbox.run("trace show --format mermaid relay.itf.json").check("trace-settings-wrong");
}

/// `net` has queues from one node to another, and more: who is down, and who is cut off.
#[test]
fn messages_in_a_part_of_the_network_are_drawn() {
    let queue = |from: &str, to: &str, messages: &str| {
        let to_of = |sender: &str, receiver: &str| {
            let held = if (sender, receiver) == (from, to) { messages } else { "" };
            format!(r#"["{receiver}", [{held}]]"#)
        };
        let from_of = |sender: &str| {
            format!(r##"["{sender}", {{"#map": [{}, {}]}}]"##, to_of(sender, "n1"), to_of(sender, "n2"))
        };
        format!(r##"{{"#map": [{}, {}]}}"##, from_of("n1"), from_of("n2"))
    };
    let state = |term: u32, queue: String| {
        format!(
            r##"{{"term": {{"#map": [["n1", 0], ["n2", {term}]]}},
                 "net": {{"down": {{"#set": ["n1"]}}, "cut": {{"#set": []}}, "queue": {queue}}}}}"##
        )
    };
    let sent = r#"{"type": "vote", "term": 1}"#;
    let states =
        [state(0, queue("n1", "n2", "")), state(0, queue("n1", "n2", sent)), state(1, queue("n1", "n2", ""))];
    let trace = format!(r#"{{"vars": ["term", "net"], "states": [{}]}}"#, states.join(",\n"));
    let run = Sandbox::new().file("net.itf.json", trace).run("trace show --format mermaid net.itf.json");
    let arrows: Vec<&str> = run.stdout().lines().filter(|line| line.contains("->")).collect();
    assert!(matches!(arrows[..], [arrow] if arrow.contains("vote")), "{}{}", run.stdout(), run.stderr());
}

#[test]
fn a_trace_without_processes_has_no_lanes() {
    let counter = "{\"vars\": [\"x\"], \"states\": [{\"x\": 1}, {\"x\": 2}]}";
    let sandbox = Sandbox::new().file("counter.itf.json", counter);
    // SL0803
    sandbox.run("trace show --format mermaid counter.itf.json").check("trace-no-lanes");
    // A page needs none.
    assert_eq!(sandbox.run("trace html counter.itf.json").stdout(), "counter.html\n");
    assert!(sandbox.read("counter.html").contains("\"diagram\":null"));
    sandbox.run("trace html counter.itf.json --out missing/page.html").check("trace-html-unwritable");
}

#[test]
fn two_traces_compared() {
    let other = RELAY.replace("\"inbox\":[\"a\"]", "\"inbox\":[\"b\"]");
    let sandbox = Sandbox::new().file("a.itf.json", RELAY).file("b.itf.json", other);
    sandbox.run("trace diff a.itf.json a.itf.json").check("trace-diff-same");
    sandbox.run("trace diff a.itf.json b.itf.json").check("trace-diff");
}

#[test]
fn files_that_are_no_traces() {
    let sandbox = Sandbox::new()
        .file("cut.itf.json", &RELAY[..500])
        .file("half.itf.json", "{\"vars\": [\"x\"], \"states\": [{\"x\": {\"#set\": [1.5]}}]}")
        .file("array.itf.json", "[]")
        .file("twice.itf.json", "{\"vars\": [],\n \"vars\": []}")
        .file("binary.itf.json", b"\x00\xff\xfe");
    // SL0801
    sandbox.run("trace show cut.itf.json").check("trace-cut");
    // SL0802
    sandbox.run("trace show half.itf.json").check("trace-half");
    sandbox.run("trace show array.itf.json").check("trace-array");
    sandbox.run("trace show twice.itf.json").check("trace-twice");
    sandbox.run("trace show binary.itf.json").check("trace-binary");
    sandbox.run("trace show missing.itf.json").check("trace-missing");
    sandbox.run("trace diff missing.itf.json array.itf.json").check("trace-diff-missing");
}
