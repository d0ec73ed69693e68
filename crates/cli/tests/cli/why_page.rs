//! The page of `specline validate --why-html`, in a real browser: what it shows of logs, and what keys do.

use serde_json::json;
use test_kit::Browser;

use crate::sandbox::Sandbox;

/// A counter that a log follows. What a pause does is not logged, and a step may come with one: that is a choice.
const SPEC: &str = r#"---- MODULE Count ----
EXTENDS Naturals, Sequences, TLC, Json, IOUtils
VARIABLES n, paused, l
Log == ndJsonDeserialize(IOEnv.RUN)
Is(kind) == l <= Len(Log) /\ Log[l].kind = kind /\ l' = l + 1
Up == Is("up") /\ n' = n + 1 /\ n' = Log[l].to /\ UNCHANGED paused
Down == Is("down") /\ n > 0 /\ n' = n - 1 /\ n' = Log[l].to /\ UNCHANGED paused
Odd == Is("odd") /\ paused' \in BOOLEAN /\ UNCHANGED n
Init == n = 0 /\ paused = FALSE /\ l = 1
Next == Up \/ Down \/ Odd
Spec == Init /\ [][Next]_<<n, paused, l>>
Done == l > Len(Log) => TLCSet("exit", TRUE)
====
"#;
const CONFIG: &str = "SPECIFICATION Spec\nCHECK_DEADLOCK FALSE\nCONSTRAINT Done\n";

fn event(kind: &str, to: u32) -> String {
    format!("{{\"kind\": \"{kind}\", \"to\": {to}}}\n")
}

fn sandbox(log: &str) -> Sandbox {
    Sandbox::new()
        .file("Count.tla", SPEC)
        .file("Count.cfg", CONFIG)
        .file("bad.ndjson", log)
        .file("good.ndjson", event("up", 1))
        .folder("profile")
}

fn opened(sandbox: &Sandbox, logs: &str, code: i32) -> Browser {
    let run = sandbox.run(&format!("validate --spec Count.tla --log {logs} --why-html why.html"));
    run.ends_with(code);
    Browser::open(&sandbox.path().join("why.html"), &sandbox.path().join("profile"))
}

const CHOSEN: &str = "document.querySelector('[aria-selected=true] .number').textContent";
const TITLE: &str = "document.querySelector('#title').textContent";

fn text(browser: &mut Browser, selector: &str) -> String {
    let text = browser.eval(&format!("document.querySelector('{selector}').innerText"));
    text.as_str().expect("a text").to_owned()
}

/// A hundred steps up, one of which is logged as going elsewhere.
fn with_one_altered() -> String {
    (1..=100).map(|n| if n == 60 { event("down", 7) } else { event("up", n) }).collect()
}

#[test]
fn it_opens_at_the_event_that_nothing_explains_with_the_two_values_that_disagree() {
    let sandbox = sandbox(&with_one_altered());
    let mut browser = opened(&sandbox, "bad.ndjson", 28);
    assert_eq!(browser.eval(CHOSEN), "60");
    let headline = text(&mut browser, "h1");
    assert!(headline.contains("nothing explains line 60 (event 60 of 100)"), "{headline}");
    let stuck = text(&mut browser, ".row.stuck");
    assert!(stuck.contains("down") && stuck.contains("nothing explains this event"), "{stuck}");
    let in_sight = "(() => { const r = document.querySelector('.row.stuck').getBoundingClientRect(); \
                    return r.top > 0 && r.bottom < innerHeight; })()";
    assert_eq!(browser.eval(in_sight), true);
    let miss = text(&mut browser, ".miss");
    assert!(miss.contains("Nearest: Down") && miss.contains("Count.tla:7:"), "{miss}");
    let sides = "[...document.querySelectorAll('.miss:first-of-type .sides > *')].map(e => e.textContent).filter(t => t)";
    assert_eq!(browser.eval(sides), json!(["n'", "Log[l].to", "58", "not =", "7"]));
    let before = text(&mut browser, "#state-title");
    assert_eq!(before, "The state before it: state 60");
    assert!(text(&mut browser, "#values").contains("59"));
    assert_eq!(text(&mut browser, "#shown"), "59 of 100 events explained");
    assert_eq!(browser.errors, Vec::<String>::new());
}

#[test]
fn keys_lead_through_the_log() {
    let log: String = [event("up", 1), event("odd", 0), event("up", 2), event("down", 0)].concat();
    let sandbox = sandbox(&log);
    let mut browser = opened(&sandbox, "bad.ndjson", 28);
    assert_eq!(browser.eval(CHOSEN), "4");
    for (key, title) in [
        ("g", "initial state"),
        ("j", "Event 1: Up"),
        ("ArrowDown", "Event 2: Odd"),
        ("k", "Event 1: Up"),
        ("b", "Event 2: Odd"),
        ("G", "Event 4"),
        ("B", "Event 2: Odd"),
        ("f", "Event 4"),
    ] {
        browser.press(key);
        assert_eq!(browser.eval(TITLE), title, "after {key}");
    }
    browser.press("b");
    browser.press("B");
    let branch = text(&mut browser, "#branch");
    assert!(branch.contains("this could have been done instead") && branch.contains("Odd"), "{branch}");
    browser.press("g");
    browser.press("/");
    for letter in "odd".chars() {
        browser.press(&letter.to_string());
    }
    assert!(text(&mut browser, "#shown").contains("1 found"));
    browser.press("Enter");
    assert_eq!(browser.eval(TITLE), "Event 2: Odd");
    browser.press("Escape");
    assert_eq!(browser.eval("document.querySelector('#find').value"), "");
    browser.press("j");
    assert_eq!(browser.eval(TITLE), "Event 3: Up");
    assert_eq!(browser.errors, Vec::<String>::new());
}

#[test]
fn ten_thousand_events_are_scrolled_through_with_few_rows_in_the_document() {
    let n_events = 10_000;
    let log: String = (1..=n_events).map(|n| event("up", if n == 9_000 { 1 } else { n })).collect();
    let sandbox = sandbox(&log);
    let mut browser = opened(&sandbox, "bad.ndjson", 28);
    browser.look((1280, 800), false);
    assert_eq!(browser.eval(CHOSEN), "9000");
    let n_rows = "document.querySelectorAll('.row').length";
    assert!(browser.eval(n_rows).as_u64() < Some(200));
    browser.press("g");
    browser.press("j");
    assert_eq!(browser.eval(TITLE), "Event 1: Up");
    browser.eval("document.querySelector('#rows').scrollTop = 30 * 5000");
    browser.press("G");
    assert_eq!(browser.eval(CHOSEN), "10000");
    assert!(browser.eval(n_rows).as_u64() < Some(200));
    assert_eq!(browser.errors, Vec::<String>::new());
}

#[test]
fn several_logs_are_in_one_page_and_the_first_that_is_not_accepted_is_shown() {
    let sandbox = sandbox(&with_one_altered());
    let mut browser = opened(&sandbox, "good.ndjson bad.ndjson", 28);
    assert_eq!(browser.eval(CHOSEN), "60");
    browser.eval(
        "(() => { const e = document.getElementById('run'); e.value = '0'; e.dispatchEvent(new Event('input')); })()",
    );
    assert!(text(&mut browser, "h1").contains("good.ndjson"));
    assert_eq!(text(&mut browser, "#shown"), "1 of 1 events explained");
    assert_eq!(browser.eval("document.querySelector('#why').checkVisibility()"), false);
    // Alone, an accepted log is shown with its states.
    sandbox.run("validate --spec Count.tla --log good.ndjson --why-html good.html").ends_with(0);
    browser.visit(&sandbox.path().join("good.html"));
    browser.press("G");
    assert_eq!(browser.eval(TITLE), "Event 1: Up");
    assert_eq!(browser.errors, Vec::<String>::new());
}

#[test]
fn it_can_be_read_in_any_window_and_light() {
    let sandbox = sandbox(&with_one_altered());
    let mut browser = opened(&sandbox, "bad.ndjson", 28);
    let back = "getComputedStyle(document.body).backgroundColor";
    for width in [1280, 400] {
        browser.look((width, 800), false);
        let light = browser.eval(back);
        assert_eq!(browser.eval("document.documentElement.scrollWidth <= innerWidth"), true, "{width} wide");
        let is_shown = "document.querySelector('#rows').clientHeight > 100 && \
                        document.querySelector('#rows').clientHeight < innerHeight";
        assert_eq!(browser.eval(is_shown), true, "{width} wide");
        browser.look((width, 800), true);
        assert_ne!(browser.eval(back), light);
    }
}

#[test]
fn a_log_that_the_specification_filters_is_shown_as_it_is_read() {
    let spec = SPEC.replace(
        "Log == ndJsonDeserialize(IOEnv.RUN)",
        "Log == SelectSeq(ndJsonDeserialize(IOEnv.RUN), LAMBDA line: line.kind # \"noise\")",
    );
    let log: String = [event("noise", 0), event("up", 1), event("down", 5)].concat();
    let sandbox = sandbox(&log).file("Count.tla", spec);
    let mut browser = opened(&sandbox, "bad.ndjson", 28);
    assert_eq!(browser.eval(CHOSEN), "2");
    assert!(text(&mut browser, "#event").contains("[kind |-> \"down\", to |-> 5]"));
    assert!(text(&mut browser, "#event").lines().all(|line| !line.contains("bad.ndjson")));
}

/// Two nodes that pass a token on, each step logged; the last one is logged as somebody else's.
#[test]
fn lanes_stand_beside_the_log_and_the_state_is_a_table() {
    let spec = r#"---- MODULE Pass ----
EXTENDS Naturals, Sequences, TLC, Json, IOUtils
VARIABLES held, wire, l
Log == ndJsonDeserialize(IOEnv.RUN)
Node == {"a", "b"}
Is(kind, n) == l <= Len(Log) /\ Log[l].kind = kind /\ Log[l].node = n /\ l' = l + 1
Send(n, m) == Is("send", n) /\ held[n] = 1 /\ n # m /\ held' = [held EXCEPT ![n] = 0]
              /\ wire' = wire \cup {[from |-> n, to |-> m, type |-> "token"]}
Take(n, m) == Is("take", n) /\ [from |-> m, to |-> n, type |-> "token"] \in wire
              /\ held' = [held EXCEPT ![n] = 1] /\ wire' = {}
Init == held = [n \in Node |-> IF n = "a" THEN 1 ELSE 0] /\ wire = {} /\ l = 1
Next == \E n, m \in Node : Send(n, m) \/ Take(n, m)
Spec == Init /\ [][Next]_<<held, wire, l>>
Done == l > Len(Log) => TLCSet("exit", TRUE)
====
"#;
    let event = |kind: &str, node: &str| format!("{{\"kind\": \"{kind}\", \"node\": \"{node}\"}}\n");
    let log: String =
        [event("send", "a"), event("take", "b"), event("send", "b"), event("take", "b")].concat();
    let sandbox = Sandbox::new()
        .file("Pass.tla", spec)
        .file("Pass.cfg", CONFIG)
        .file("specline.toml", "[trace]\nprocesses = [\"a\", \"b\"]\n")
        .file("run.ndjson", log)
        .folder("profile");
    sandbox.run("validate --spec Pass.tla --log run.ndjson --why-html why.html").ends_with(28);
    let mut browser = Browser::open(&sandbox.path().join("why.html"), &sandbox.path().join("profile"));
    browser.look((1280, 800), false);
    let names = "[...document.querySelectorAll('.lane-name')].map(name => name.textContent)";
    assert_eq!(browser.eval(names), json!(["a", "b"]));
    assert_eq!(browser.eval("document.querySelectorAll('#lanes line.message.taken').length"), 1);
    // The mark of a step is in the row of its event.
    let aligned = "[...document.querySelectorAll('#lanes circle.event')].every(mark => { \
                   const row = document.querySelector(`#row-${mark.dataset.state}`).getBoundingClientRect(); \
                   const box = mark.getBoundingClientRect(), y = (box.top + box.bottom) / 2; \
                   return row.top < y && y < row.bottom; })";
    assert_eq!(browser.eval(aligned), true);
    let head = "[...document.querySelectorAll('.processes thead th')].map(head => head.textContent)";
    assert_eq!(browser.eval(head), json!(["", "a", "b"]));
    let n_rows = "document.querySelectorAll('.row').length";
    assert_eq!(browser.eval(&format!("(dispatchEvent(new Event('beforeprint')), {n_rows})")), 5);
    browser.eval("dispatchEvent(new Event('afterprint'))");
    browser.press("d");
    assert_eq!(browser.eval("document.querySelector('#lanes').checkVisibility()"), false);
    browser.press("d");
    assert_eq!(browser.eval("document.querySelector('#lanes').checkVisibility()"), true);
    assert_eq!(browser.errors, Vec::<String>::new());
}
