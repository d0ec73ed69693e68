//! `specline validate SPEC --map`: a specification that knows nothing of logs.

use crate::sandbox::{Run, Sandbox};

const MAIL: &str = r#"---- MODULE Mail ----
EXTENDS Naturals, Sequences
CONSTANT Node
VARIABLES inbox, sent, got
vars == <<inbox, sent, got>>
Init ==
    /\ inbox = [n \in Node |-> <<>>]
    /\ sent = [n \in Node |-> 0]
    /\ got = [n \in Node |-> 0]
Send(a, b, text) ==
    /\ a # b
    /\ Len(inbox[b]) < 3
    /\ inbox' = [inbox EXCEPT ![b] = Append(@, [from |-> a, text |-> text])]
    /\ sent' = [sent EXCEPT ![a] = @ + 1]
    /\ UNCHANGED got
Receive(b) ==
    /\ inbox[b] # <<>>
    /\ inbox' = [inbox EXCEPT ![b] = Tail(@)]
    /\ got' = [got EXCEPT ![b] = @ + 1]
    /\ UNCHANGED sent
Lose(b) ==
    /\ inbox[b] # <<>>
    /\ inbox' = [inbox EXCEPT ![b] = Tail(@)]
    /\ UNCHANGED <<sent, got>>
Next ==
    \/ \E a, b \in Node, text \in {"hi", "bye"} : Send(a, b, text)
    \/ \E b \in Node : Receive(b) \/ Lose(b)
Spec == Init /\ [][Next]_vars
FewSent == \A n \in Node : sent[n] < 3
GotGrows == [][\A n \in Node : got'[n] >= got[n]]_vars
====
"#;

const CFG: &str = "CONSTANT Node = {a, b, c}\nSPECIFICATION Spec\n";

const MAP: &str = r#"[log]
kind = "event"
node = "node"
nodes = "Node"

[fields]
text = '{"hi", "bye"}'

[[event]]
kind = "send"
action = "Send"
bind = { a = "event.node", b = "event.to", text = "event.text" }
after = { "sent[event.node]" = "event.sent" }

[[event]]
kind = "receive"
action = "Receive"
bind = { b = "event.node" }
before = { "Head(inbox[event.node])" = "[from |-> event.from, text |-> event.text]" }
after = { "got[event.node]" = "event.got" }
"#;

const SENT: &str = r#"{"node":"a","event":"send","to":"b","text":"hi","sent":1,"clock":1}"#;
const GOT: &str = r#"{"node":"b","event":"receive","from":"a","text":"hi","got":1,"clock":2}"#;
const BYE: &str = r#"{"node":"a","event":"send","to":"b","text":"bye","sent":2,"clock":3}"#;
const GOT_BYE_ALONE: &str = r#"{"node":"b","event":"receive","from":"a","text":"bye","got":1,"clock":4}"#;

fn log(lines: &[&str]) -> String {
    lines.iter().map(|line| format!("{line}\n")).collect()
}

fn folder(map: &str) -> Sandbox {
    Sandbox::new().file("Mail.tla", MAIL).file("Mail.cfg", CFG).file("map.toml", map)
}

/// Validates a log of one file.
fn run(map: &str, lines: &[&str]) -> Run {
    folder(map).file("run.ndjson", log(lines)).run("validate Mail.tla --map map.toml --log run.ndjson")
}

/// Validates a log of several files.
fn run_files(map: &str, files: &[(&str, &[&str])]) -> Run {
    let mut sandbox = folder(map);
    let mut names = Vec::new();
    for (name, lines) in files {
        sandbox = sandbox.file(name, log(lines));
        names.push(*name);
    }
    sandbox.run(&format!("validate Mail.tla --map map.toml --log {}", names.join(" ")))
}

#[test]
fn a_log_that_follows_the_specification_is_accepted() {
    run(MAP, &[SENT, GOT]).check("validate-map-accepted").ends_with(0);
}

#[test]
fn a_log_that_does_not_is_rejected_with_what_came_nearest() {
    run(MAP, &[SENT, GOT, GOT]).check("validate-map-rejected").ends_with(28);
}

#[test]
fn what_the_log_says_of_a_step_must_be_what_the_step_does() {
    let altered = GOT.replace("\"got\":1", "\"got\":2");
    run(MAP, &[SENT, &altered]).check("validate-map-altered").ends_with(28);
}

#[test]
fn parameters_come_from_where_the_next_state_relation_takes_them() {
    // `Send` itself would take any text.
    let map = MAP.replace("[fields]\ntext = '{\"hi\", \"bye\"}'\n", "");
    let other = SENT.replace("\"hi\"", "\"hm\"");
    let told = run(&map, &[&other]);
    told.ends_with(28);
    assert!(told.stdout().contains("text \\in {\"hi\", \"bye\"}"), "{}", told.stdout());
    // What is written out is taken as it is written.
    let written_out = map.replace(
        "action = \"Send\"\nbind = { a = \"event.node\", b = \"event.to\", text = \"event.text\" }",
        "action = 'Send(event.node, event.to, event.text)'",
    );
    run(&written_out, &[&other]).ends_with(0);
}

#[test]
fn actions_that_an_instance_brings_are_those_of_its_next_state_relation() {
    let root = "---- MODULE Wrapped ----\nCONSTANT Node\nVARIABLES inbox, sent, got\nINSTANCE Mail\n====\n";
    let sandbox = folder(MAP)
        .file("Wrapped.tla", root)
        .file("Wrapped.cfg", "CONSTANT Node = {a, b, c}\nINIT Init\nNEXT Next\n");
    let sandbox = sandbox.file("run.ndjson", log(&[SENT, GOT])).file("bad.ndjson", log(&[GOT]));
    sandbox.run("validate Wrapped.tla --map map.toml --log run.ndjson").ends_with(0);
    sandbox.run("validate Wrapped.tla --map map.toml --log bad.ndjson").ends_with(28);
}

#[test]
fn silent_steps_end_where_nothing_is_left_to_happen() {
    // The bound is never used up: there are no more messages to lose.
    let map = format!("{MAP}{LOSING}per-gap = 1000000\n");
    run(&map, &[SENT, GOT]).ends_with(0);
    run(&map, &[GOT]).ends_with(28);
}

#[test]
fn what_is_wrong_with_a_mapping_is_told_where_it_stands() {
    for (name, from, to) in [
        ("unknown-action", "\"Receive\"", "\"Recieve\""),
        ("no-action", "\"Receive\"", "\"FewSent\""),
        ("unbound", "b = \"event.to\", ", ""),
        ("unknown-key", "kind = \"send\"", "kind = \"send\"\nfollow = \"receive\""),
        ("unknown-name", "event.got", "event.got + sum"),
        ("no-parameter", "bind = { b = \"event.node\" }", "bind = { b = \"event.node\", z = \"1\" }"),
        ("primed", "\"sent[event.node]\"", "\"sent'[event.node]\""),
    ] {
        run(&MAP.replace(from, to), &[SENT]).check(&format!("validate-map-file-{name}"));
    }
}

#[test]
fn lines_that_are_no_events_are_told_with_their_places() {
    let unfinished = &GOT[..30];
    let sandbox = folder(MAP).file("run.ndjson", format!("{SENT}\n{unfinished}"));
    let cut = sandbox.run("validate Mail.tla --map map.toml --log run.ndjson");
    cut.check("validate-map-line-cut").ends_with(255);
    run(MAP, &[SENT, "12:00 server started"]).check("validate-map-line-not-json").ends_with(255);
    run(MAP, &[SENT, "[1]"]).ends_with(255);
}

#[test]
fn fields_that_are_missing_or_wrong_are_told_with_their_places() {
    for (name, from, to) in [
        ("missing", ",\"got\":1", ""),
        ("kind", "\"event\":\"receive\",", ""),
        ("node", "\"node\":\"b\"", "\"node\":\"x\""),
        ("type", "\"text\":\"hi\"", "\"text\":7"),
    ] {
        let altered = GOT.replace(from, to);
        run(MAP, &[SENT, &altered]).check(&format!("validate-map-field-{name}"));
    }
}

#[test]
fn logs_of_several_nodes_are_merged_by_a_clock() {
    let map = format!("{MAP}\n[order]\nby = \"fields\"\nfields = [\"clock\", \"node\"]\n");
    run_files(&map, &[("b.ndjson", &[GOT]), ("a.ndjson", &[SENT, BYE])]).ends_with(0);
    run_files(&map, &[("b.ndjson", &[GOT]), ("a.ndjson", &[BYE, SENT])])
        .check("validate-map-order-fields")
        .ends_with(255);
    // As they stand the message is received before it is sent.
    run_files(MAP, &[("b.ndjson", &[GOT]), ("a.ndjson", &[SENT, BYE])]).ends_with(28);
}

/// An order by messages alone.
fn by_messages() -> String {
    let order = r#"
[order]
by = "messages"

[[order.send]]
kind = "send"
key = "<<event.node, event.to, event.text>>"

[[order.receive]]
kind = "receive"
key = "<<event.from, event.node, event.text>>"
"#;
    format!("{MAP}{order}")
}

#[test]
fn logs_of_several_nodes_are_ordered_by_what_is_sent_and_received() {
    let map = by_messages();
    run_files(&map, &[("b.ndjson", &[GOT]), ("a.ndjson", &[SENT, BYE])]).ends_with(0);
    let told = run_files(&map, &[("b.ndjson", &[GOT_BYE_ALONE]), ("a.ndjson", &[SENT, BYE])]);
    told.check("validate-map-messages-rejected").ends_with(28);
}

#[test]
fn events_that_wait_for_one_another_have_no_order() {
    let answer = r#"{"node":"b","event":"send","to":"a","text":"hi","sent":1}"#;
    let answered = r#"{"node":"a","event":"receive","from":"b","text":"hi","got":1}"#;
    run_files(&by_messages(), &[("a.ndjson", &[answered, SENT]), ("b.ndjson", &[GOT, answer])])
        .check("validate-map-order-cycle")
        .ends_with(255);
}

#[test]
fn logs_of_several_nodes_are_ordered_by_vector_clocks() {
    let map = format!("{MAP}\n[order]\nby = \"vector\"\nclock = \"vector\"\n");
    let at = |line: &str, clock: &str| line.replace("\"clock\":", &format!("\"vector\":{clock},\"clock\":"));
    let (sent, bye) = (at(SENT, r#"{"a":1}"#), at(BYE, r#"{"a":2}"#));
    let got = at(GOT, r#"{"a":1,"b":1}"#);
    run_files(&map, &[("b.ndjson", &[&got]), ("a.ndjson", &[&sent, &bye])]).ends_with(0);
    let set_back = run_files(&map, &[("b.ndjson", &[&got]), ("a.ndjson", &[&bye, &sent])]);
    set_back.check("validate-map-order-vector").ends_with(255);
    // Each has seen the other's event.
    let early = at(SENT, r#"{"a":1,"b":1}"#);
    run_files(&map, &[("b.ndjson", &[&got]), ("a.ndjson", &[&early])]).ends_with(255);
}

const LOSING: &str = "\n[[silent]]\naction = \"Lose\"\n";

#[test]
fn what_nobody_logs_may_happen_silently_within_bounds() {
    let lines = [SENT, BYE, GOT_BYE_ALONE];
    run(&format!("{MAP}{LOSING}"), &lines).ends_with(0);
    run(&format!("{MAP}{LOSING}per-gap = 0\n"), &lines).check("validate-map-silent-bound").ends_with(28);
    run(&format!("{MAP}{LOSING}total = 0\n"), &lines).ends_with(28);
    // It is told that such a step would have helped though nobody declared it.
    run(MAP, &lines).check("validate-map-silent-undeclared").ends_with(28);
}

/// Where two ways lead to one state, the one with fewer silent steps is told.
#[test]
fn a_state_that_is_reached_with_and_without_a_silent_step_is_told_without() {
    let spec = r#"---- MODULE Ways ----
EXTENDS Naturals
VARIABLES x, f
Init == x = 0 /\ f = 0
A == x = 0 /\ x' = 1 /\ f' \in {0, 1}
Lose == f = 0 /\ x = 1 /\ f' = 1 /\ x' = x
B == x = 1 /\ f = 1 /\ x' = 2 /\ f' = 1
C == x = 2 /\ x' = 3 /\ f' = f
Next == A \/ Lose \/ B \/ C
====
"#;
    let map = "[log]\nkind = \"e\"\n[events]\na = \"A\"\nb = \"B\"\n[events.c]\naction = \"C\"\nafter = { x = \"event.x\" }\n\
               [[silent]]\naction = \"Lose\"\nper-gap = 2\n";
    let log = "{\"e\":\"a\"}\n{\"e\":\"b\"}\n{\"e\":\"c\",\"x\":7}\n";
    let sandbox = Sandbox::new()
        .file("Ways.tla", spec)
        .file("Ways.cfg", "INIT Init\nNEXT Next\n")
        .file("map.toml", map)
        .file("run.ndjson", log);
    let told = sandbox.run("validate Ways.tla --map map.toml --log run.ndjson");
    assert_eq!(told.code(), Some(28), "{}", told.stderr());
    assert!(told.stdout().contains("State 3: B") && !told.stdout().contains("Lose"), "{}", told.stdout());
}

/// An event that is lost besides explains nothing: the nearest step is reported, and not one from a state after it.
#[test]
fn of_behaviours_that_explain_as_much_the_one_with_the_nearest_miss_is_told() {
    let wrong = GOT.replace("\"got\":1", "\"got\":3");
    for per_gap in [1, 2, 5] {
        let map = format!("{MAP}{LOSING}per-gap = {per_gap}\n");
        let told = run(&map, &[SENT, &wrong]);
        told.says(28, &["The longest behaviour explains 1 event", "got[event.node] = event.got"]);
        assert!(!told.stdout().contains("Lose("), "{}", told.stdout());
    }
}

/// A field of the log that cannot be compared with the state is no step that is not allowed.
#[test]
fn an_expression_without_a_value_is_an_error_in_evaluation() {
    let wrong = SENT.replace("\"sent\":1", "\"sent\":\"1\"");
    run(MAP, &[&wrong])
        .says(75, &["SL0701", "cannot compare 1 with \"1\"", "this is about `run.ndjson`, line 1"]);
}

#[test]
fn an_alternative_that_was_given_up_leaves_a_log_undecided() {
    let more = r#"{"node":"c","event":"send","to":"a","text":"hi","sent":1}"#;
    // That the first message was lost is known only at the end, where the search would have to go back to.
    let lines =
        [SENT, BYE, more, GOT_BYE_ALONE, r#"{"node":"b","event":"receive","from":"a","text":"hi","got":2}"#];
    let map = format!("{MAP}{LOSING}\n[search]\nwindow = 1\n");
    run(&map, &lines).check("validate-map-undecided").ends_with(21);
    run(&format!("{MAP}{LOSING}"), &lines).ends_with(28);
}

#[test]
fn several_steps_may_explain_one_event_and_none_another() {
    let map = MAP.replace("action = \"Send\"", "action = [[\"Send\", \"Lose\"], \"Send\"]").replace(
        "bind = { a = \"event.node\", b = \"event.to\", text = \"event.text\" }",
        "bind = { a = \"event.node\", b = \"event.to\", text = \"event.text\" }\n[[event]]\nkind = \"note\"\nfollows = \"send\"\naction = \"stutter\"\n[[event]]\nkind = \"send-again\"\naction = \"Send\"\nbind = { a = \"event.node\", b = \"event.to\", text = \"event.text\" }",
    );
    let note = r#"{"node":"a","event":"note"}"#;
    // The first message is lost with the second one being sent.
    run(&map, &[SENT, note, BYE, GOT_BYE_ALONE]).ends_with(0);
    let stray = run(&map, &[SENT, GOT, r#"{"node":"b","event":"note"}"#]);
    stray.ends_with(28);
    assert!(stray.stdout().contains("follows"), "{}", stray.stdout());
}

#[test]
fn the_first_event_says_which_initial_states_are_allowed() {
    let init = "\n[init]\npredicate = 'inbox = [n \\in Node |-> <<>>] /\\ sent \\in [Node -> 0..2] /\\ got = [n \\in Node |-> 0]'\nwhere = { \"sent[event.node]\" = \"event.sent - 1\" }\n";
    run(&format!("{MAP}{init}"), &[BYE]).ends_with(0);
    run(MAP, &[BYE]).ends_with(28);
}

#[test]
fn properties_are_checked_on_the_behaviour_that_explains_a_log() {
    let third = r#"{"node":"a","event":"send","to":"b","text":"hi","sent":3}"#;
    let sandbox = folder(MAP)
        .file("Mail.cfg", format!("{CFG}INVARIANT FewSent\nPROPERTY GotGrows\n"))
        .file("run.ndjson", log(&[SENT, BYE, third]));
    let told = sandbox.run("validate Mail.tla --map map.toml --log run.ndjson");
    told.check("validate-map-violated").ends_with(12);
}

#[test]
fn what_was_not_used_is_told() {
    let noise = r#"{"node":"a","event":"tick"}"#;
    run(MAP, &[SENT, noise, noise]).check("validate-map-unused").ends_with(0);
    let ignoring = MAP.replace("kind = \"event\"", "kind = \"event\"\nignore = [\"tick\"]");
    assert!(!run(&ignoring, &[SENT, noise]).stderr().contains("tick"));
}

#[test]
fn a_log_without_an_event_explains_nothing() {
    run(MAP, &[]).check("validate-map-empty").ends_with(255);
    run(MAP, &[r#"{"node":"a","event":"tick"}"#]).check("validate-map-no-match").ends_with(255);
}

#[test]
fn events_are_taken_out_of_raw_lines() {
    let log_form = "kind = \"what\"\nmarker = \"TRACE \"\ninside = \"data\"\nonly = { tag = \"mail\" }\nrename = { text = \"body\" }";
    let map = MAP.replace("kind = \"event\"", log_form);
    let raw = [
        "12:00 INFO started",
        r#"12:01 TRACE {"tag":"other","data":{}}"#,
        r#"12:02 TRACE {"tag":"mail","body":"hi","data":{"node":"a","what":"send","to":"b","sent":1}}"#,
    ];
    run(&map, &raw).ends_with(0);
}

/// A silent step that is bound to the next event is taken there alone.
#[test]
fn silent_steps_can_be_bound_to_the_next_event() {
    // A node has room for three messages: before the fourth is sent, one is lost.
    let third = r#"{"node":"c","event":"send","to":"b","text":"bye","sent":1,"clock":4}"#;
    let fourth = r#"{"node":"c","event":"send","to":"b","text":"bye","sent":2,"clock":5}"#;
    let run = |next: &str| {
        let map = format!("{MAP}\n[[silent]]\naction = \"Lose\"\n{next}");
        let sandbox = folder(&map).file("run.ndjson", log(&[SENT, BYE, third, fourth]));
        sandbox.run("validate Mail.tla --map map.toml --log run.ndjson")
    };
    run("").ends_with(0);
    run("next = [\"send\"]").ends_with(0);
    let rejected = run("next = [\"receive\"]");
    rejected.ends_with(28);
    let told = format!("{}{}", rejected.stdout(), rejected.stderr());
    let bound = "which `per-gap = 1, next = [\"receive\"]` does not allow: Lose(b = b)";
    assert!(told.contains(bound), "{told}");
    let unknown = run("next = [\"recieve\"]");
    unknown.ends_with(151);
    assert!(unknown.stderr().contains("SL0855"), "{}", unknown.stderr());
}

#[test]
fn many_runs_are_summed_up() {
    let sandbox = folder(MAP).file("one/run.ndjson", log(&[SENT, GOT])).file("two/run.ndjson", log(&[GOT]));
    let told = sandbox.run("validate Mail.tla --map map.toml --log one two");
    told.ends_with(28);
    assert!(told.stdout().contains("\n2 logs: 1 accepted, 1 rejected; 3 events, "), "{}", told.stdout());
}

#[test]
fn a_draft_is_a_mapping_that_can_be_used() {
    let sandbox = folder("").file("run.ndjson", log(&[SENT, GOT]));
    let draft = sandbox.run("validate --init-map Mail.tla --log run.ndjson");
    draft.check("validate-map-draft").ends_with(0);
    let sandbox = sandbox.file("draft.toml", draft.stdout());
    sandbox.run("validate Mail.tla --map draft.toml --log run.ndjson").ends_with(0);
}

/// A store without a configuration, and a log that lists the arguments of actions and the changes of variables.
#[test]
fn a_draft_reads_arguments_by_their_order_and_names_constants_without_a_value() {
    let module = "---- MODULE Store ----\nCONSTANTS Key, Val\nVARIABLES store, keys\nNone == CHOOSE v : v \\notin Val\n\
                  Init == store = [k \\in Key |-> None] /\\ keys = {}\n\
                  Put(k, v) == store' = [store EXCEPT ![k] = v] /\\ keys' = keys \\cup {k}\n\
                  Drop(k) == k \\in keys /\\ store' = [store EXCEPT ![k] = None] /\\ keys' = keys \\ {k}\n\
                  Next == \\E k \\in Key : Drop(k) \\/ \\E v \\in Val : Put(k, v)\n\
                  Spec == Init /\\ [][Next]_<<store, keys>>\n====\n";
    let put = r#"{"event":"Put","event_args":["k1",7],"keys":[{"op":"AddElement","args":["k1"]}]}"#;
    let drop = r#"{"event":"Drop","event_args":["k1"],"keys":[{"op":"RemoveElement","args":["k1"]}]}"#;
    let again = r#"{"keys":[{"op":"AddElement","args":["k1"]}]}"#;
    let sandbox = Sandbox::new().file("Store.tla", module).file("run.ndjson", log(&[put, drop]));
    let draft = sandbox.run("validate --init-map Store.tla --log run.ndjson");
    draft.check("validate-map-draft-arguments").ends_with(0);
    let map = draft.stdout().replace("# [constants]", "[constants]\nNone = '\"none\"'");
    let map = map.replace("# Key = '...'", "Key = '{\"k1\"}'").replace("# Val = '...'", "Val = '1..9'");
    let sandbox = sandbox.file("map.toml", &map).file("wrong.ndjson", log(&[drop, put]));
    sandbox.run("validate Store.tla --map map.toml --log run.ndjson").ends_with(0);
    let wrong = sandbox.run("validate Store.tla --map map.toml --log wrong.ndjson");
    wrong.ends_with(28);
    assert!(wrong.stdout().contains("Not by Drop(k = \"k1\")"), "{}", wrong.stdout());
    // A line without the field that has the kind has a rule that does not ask for it.
    let sandbox = sandbox.file("unnamed.ndjson", log(&[put, drop, again]));
    let unnamed = sandbox.run("validate Store.tla --map map.toml --log unnamed.ndjson");
    unnamed.ends_with(255);
    assert!(unnamed.stderr().contains("`[[event]]` with `when`, and without `kind`"), "{}", unnamed.stderr());
    let rule = "[[event]]\nwhen = '\"event\" \\notin DOMAIN event'\naction = ['\\E k \\in Key, v \\in Val : Put(k, v)']\n";
    let sandbox = sandbox.file("map.toml", format!("{map}\n{rule}"));
    sandbox.run("validate Store.tla --map map.toml --log unnamed.ndjson").ends_with(0);
}

#[test]
fn a_draft_without_anything_in_common_can_be_read_all_the_same() {
    let sandbox = folder("").file("run.ndjson", "{\"a\":1}\n{\"b\":\"x\"}\nnoise\n");
    let draft = sandbox.run("validate --init-map Mail.tla --log run.ndjson");
    draft.ends_with(0);
    let sandbox = sandbox.file("draft.toml", draft.stdout());
    let told = sandbox.run("validate Mail.tla --map draft.toml --log run.ndjson");
    assert!(!told.stderr().contains("SL0855"), "{}", told.stderr());
}
