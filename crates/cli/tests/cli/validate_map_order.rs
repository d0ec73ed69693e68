//! `specline validate SPEC --map`: what is known of the order of events, and what is refused because it is not.

use crate::sandbox::{Run, Sandbox};

const NET: &str = r#"---- MODULE Net ----
EXTENDS Naturals
VARIABLES a, b
Init == a = 0 /\ b = 0
Work == a' = a + 1 /\ b' = b
Read == b' = a /\ a' = a
Next == Work \/ Read
====
"#;

const RULES: &str = r#"[log]
kind = "e"
node = "n"
[[event]]
kind = ["work", "send"]
action = "Work"
[[event]]
kind = "read"
action = "Read"
after = { b = "event.b" }
"#;

const MESSAGES: &str = r#"[order]
by = "messages"
[[order.send]]
kind = "send"
key = "event.k"
[[order.receive]]
kind = "read"
key = "event.k"
"#;

fn folder(order: &str) -> Sandbox {
    Sandbox::new()
        .file("Net.tla", NET)
        .file("Net.cfg", "INIT Init\nNEXT Next\n")
        .file("map.toml", format!("{RULES}{order}"))
}

fn run(order: &str, files: &[&str]) -> Run {
    let mut sandbox = folder(order);
    let mut names = Vec::new();
    for (number, text) in files.iter().enumerate() {
        let name = format!("log{number}.ndjson");
        sandbox = sandbox.file(&name, text);
        names.push(name);
    }
    sandbox.run(&format!("validate Net.tla --map map.toml --log {}", names.join(" ")))
}

/// Lines of events, each with its node, kind and further fields.
fn log(events: &[(&str, &str, &str)]) -> String {
    events.iter().map(|(node, kind, more)| format!("{{\"n\":\"{node}\",\"e\":\"{kind}\"{more}}}\n")).collect()
}

fn refused(order: &str, files: &[&str], code: &str) -> String {
    let told = run(order, files);
    assert_ne!(told.code(), Some(0), "{}", told.stdout());
    assert!(told.stderr().contains(code), "{}", told.stderr());
    told.stderr().to_owned()
}

#[test]
fn what_is_received_comes_after_one_of_those_who_sent_it() {
    let sends = [("a", "send", ",\"k\":7"), ("c", "send", ",\"k\":7")];
    let read = |b: &str| log(&[sends[0], sends[1], ("b", "read", &format!(",\"k\":7,\"b\":{b}"))]);
    run(MESSAGES, &[&read("0")]).ends_with(28);
    run(MESSAGES, &[&read("1")]).ends_with(0);
    run(MESSAGES, &[&read("2")]).ends_with(0);
}

#[test]
fn what_is_received_before_the_node_itself_sends_it_has_no_order() {
    let own = log(&[("a", "read", ",\"k\":7,\"b\":0"), ("a", "send", ",\"k\":7")]);
    refused(MESSAGES, &[&own], "SL0858");
}

#[test]
fn what_no_node_sends_is_told() {
    let told = run(MESSAGES, &[&log(&[("a", "send", ",\"k\":7"), ("b", "read", ",\"k\":8,\"b\":0")])]);
    told.ends_with(0);
    assert!(told.stderr().contains("receives a message that no event sends"), "{}", told.stderr());
}

#[test]
fn without_duplicates_no_message_is_received_at_two_nodes_or_too_often() {
    let order = MESSAGES.replace("by = \"messages\"", "by = \"messages\"\nduplicates = false");
    let send = ("a", "send", ",\"k\":7");
    let read = |node: &'static str| (node, "read", ",\"k\":7,\"b\":1");
    let told = refused(&order, &[&log(&[send, send, read("b"), read("c")])], "SL0858");
    assert!(told.contains("two nodes receive one message"), "{told}");
    let told = refused(&order, &[&log(&[send, read("b"), read("b")])], "SL0858");
    assert!(told.contains("once more than it was sent (1 time)"), "{told}");
    // The second that is received comes after both.
    run(&order, &[&log(&[send, send, read("b"), read("b")])]).ends_with(28);
}

#[test]
fn messages_of_kinds_that_there_are_none_of_are_refused() {
    let told = refused(&MESSAGES.replace("\"send\"", "\"sned\""), &[""], "SL0855");
    assert!(told.contains("did you mean `send`?"), "{told}");
    let told = refused(&MESSAGES.replace("kind = \"read\"\n", ""), &[""], "SL0855");
    assert!(told.contains("a message needs `kind`"), "{told}");
}

const VECTOR: &str = "[order]\nby = \"vector\"\nclock = \"v\"\n";

#[test]
fn a_vector_clock_counts_the_events_that_its_node_counts() {
    let work = |clock: &'static str| ("a", "work", clock);
    let read = |rest: &'static str| ("b", "read", rest);
    // Nothing of `a` was seen.
    let none = log(&[work(",\"v\":{\"a\":0}"), read(",\"b\":0,\"v\":{\"a\":0,\"b\":1}")]);
    run(VECTOR, &[&none]).ends_with(0);
    // Of the events that count as much, the first was.
    let first = [work(",\"v\":{\"a\":1}"), work(",\"v\":{\"a\":1}")];
    run(VECTOR, &[&log(&[first[0], first[1], read(",\"b\":1,\"v\":{\"a\":1,\"b\":1}")])]).ends_with(0);
    run(VECTOR, &[&log(&[first[0], first[1], read(",\"b\":0,\"v\":{\"a\":1,\"b\":1}")])]).ends_with(28);
    let told = refused(VECTOR, &[&log(&[work(",\"v\":{\"b\":0}")])], "SL0857");
    assert!(told.contains("no entry for `a`"), "{told}");
}

#[test]
fn events_of_two_files_at_one_time_are_refused_unless_a_field_tells_them_apart() {
    let files = [log(&[("b", "read", ",\"b\":1,\"t\":5")]), log(&[("a", "work", ",\"t\":5")])];
    let files = [files[0].as_str(), files[1].as_str()];
    let told = refused("[order]\nby = \"fields\"\nfields = \"t\"\n", &files, "SL0858");
    assert!(told.contains("`log1.ndjson`, line 1"), "{told}");
    run("[order]\nby = \"fields\"\nfields = [\"t\", \"n\"]\n", &files).ends_with(0);
}

#[test]
fn events_are_not_ordered_by_numbers_and_texts() {
    let files = [log(&[("b", "read", ",\"b\":1,\"t\":\"6\"")]), log(&[("a", "work", ",\"t\":5")])];
    let told = refused("[order]\nby = \"fields\"\nfields = \"t\"\n", &[&files[0], &files[1]], "SL0857");
    let what = "`log1.ndjson`, line 1: `t`, which events are ordered by, is a number, and a text in line 1 of `log0.ndjson`";
    assert!(told.contains(what), "{told}");
}

#[test]
fn the_event_before_at_a_node_may_be_in_another_file() {
    let order = "[[event]]\nkind = \"done\"\naction = \"stutter\"\nfollows = \"work\"\n";
    let files = [log(&[("a", "work", "")]), log(&[("a", "done", "")])];
    run(order, &[&files[0], &files[1]]).ends_with(0);
    run(order, &[&files[1], &files[0]]).ends_with(28);
    // The order is that of the fields, not that of reading.
    let by = format!("{order}[order]\nby = \"fields\"\nfields = \"t\"\n");
    let work = log(&[("a", "work", ",\"t\":1"), ("a", "work", ",\"t\":3")]);
    let read = log(&[("a", "read", ",\"t\":2,\"b\":1"), ("a", "done", ",\"t\":4")]);
    run(&by, &[&work, &read]).ends_with(0);
}

#[test]
fn initial_states_are_not_asked_about_a_first_event_that_is_not_known() {
    let init = "[init]\nwhere = 'a = event.a'\n";
    refused(&format!("{init}{VECTOR}"), &[""], "SL0855");
    run(init, &[&log(&[("a", "work", ",\"a\":0")])]).ends_with(0);
}

#[test]
fn keys_of_an_order_that_is_not_declared_are_refused() {
    let told = refused("[order]\nfields = \"t\"\n", &[""], "SL0855");
    assert!(told.contains("`fields` is for an order by `fields`"), "{told}");
    let told = refused("[order]\nby = \"fields\"\nfields = \"t\"\nclock = \"v\"\n", &[""], "SL0855");
    assert!(told.contains("`clock` is for an order by `vector`"), "{told}");
}

#[test]
fn fields_are_paths_and_those_that_no_event_has_are_told() {
    let fields = "[fields]\n\"at.x\" = \"1..3\"\nnone = \"1..3\"\n";
    refused(fields, &[&log(&[("a", "work", ",\"at\":{\"x\":9}")])], "SL0857");
    let told = run(fields, &[&log(&[("a", "work", ",\"at\":{\"x\":3}")]), ""]);
    told.ends_with(0);
    assert!(told.stderr().contains("has the field `none`"), "{}", told.stderr());
    assert!(!told.stderr().contains("has the field `at.x`"), "{}", told.stderr());
    assert!(told.stderr().contains("`log1.ndjson` is empty"), "{}", told.stderr());
}

#[test]
fn a_rule_with_a_condition_needs_no_more_than_that_of_other_events() {
    let rule = "[[event]]\nkind = \"work\"\nwhen = \"event.quick\"\naction = \"Work\"\nafter = { a = \"event.a\" }\n";
    run(rule, &[&log(&[("a", "work", ",\"quick\":false")])]).ends_with(0);
}

#[test]
fn nodes_may_be_numbers() {
    let sandbox =
        folder("").file("map.toml", RULES.replace("node = \"n\"", "node = \"n\"\nnodes = \"1..2\""));
    let sandbox = sandbox.file("run.ndjson", "{\"n\":1,\"e\":\"work\"}\n");
    sandbox.run("validate Net.tla --map map.toml --log run.ndjson").ends_with(0);
    let sandbox = sandbox.file("run.ndjson", "{\"n\":3,\"e\":\"work\"}\n");
    sandbox.run("validate Net.tla --map map.toml --log run.ndjson").ends_with(255);
}
