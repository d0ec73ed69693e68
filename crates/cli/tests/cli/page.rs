//! The page of a trace, in a real browser: what it shows, and what clicks and keys do.

use serde_json::json;
use test_kit::Browser;

use crate::sandbox::Sandbox;

const RAFT: &str = include_str!("../../../../bench/rank/raft/RaftBudget.tla");
const RAFT_CONFIG: &str = include_str!("../../../../bench/rank/raft/RaftBudget.cfg");

/// How many steps can be seen, and which state is chosen.
const SHOWN: &str = "document.querySelectorAll('.step:not([hidden])').length";
const CHOSEN: &str = "document.querySelector('[aria-selected=true] .number').textContent";

/// A counterexample of a Raft with three servers: one votes, forgets it in a crash, and votes again.
fn raft_page() -> (Sandbox, Browser) {
    let config = RAFT_CONFIG
        .replace("Bug = \"none\"", "Bug = \"forgetful\"")
        .replace("MaxTimeouts = 1", "MaxTimeouts = 2")
        .replace("MaxCrashes = 0", "MaxCrashes = 1");
    let sandbox =
        Sandbox::new().file("RaftBudget.tla", RAFT).file("RaftBudget.cfg", config).folder("profile");
    let run = sandbox.run("check RaftBudget.tla --trace-html raft.html --trace raft.itf.json");
    assert_eq!(run.code(), Some(12), "{}", run.stdout());
    let browser = Browser::open(&sandbox.path().join("raft.html"), &sandbox.path().join("profile"));
    (sandbox, browser)
}

#[test]
fn keys_and_clicks_do_what_they_say() {
    let (_sandbox, mut browser) = raft_page();
    let n_states = browser.eval(SHOWN).as_u64().expect("a number of steps");
    assert!(n_states > 10);
    assert_eq!(browser.eval(CHOSEN), "1");
    for (key, chosen) in
        [("j", "2"), ("ArrowDown", "3"), ("k", "2"), ("G", &n_states.to_string()), ("g", "1")]
    {
        browser.press(key);
        assert_eq!(browser.eval(CHOSEN), chosen, "after {key}");
    }
    browser.click("#step-4");
    assert_eq!(browser.eval(CHOSEN), "4");
    assert_eq!(
        browser.eval("document.querySelector('#state-title').textContent.startsWith('State 4')"),
        true
    );
    browser.press("f");
    assert_eq!(browser.eval(CHOSEN), n_states.to_string().as_str());
    let failure = browser.eval("document.activeElement.textContent");
    let failure = failure.as_str().expect("a text");
    assert!(failure.contains("OneLeaderPerTerm") && failure.contains("role[i] is \"leader\""), "{failure}");
    browser.press("d");
    assert_eq!(browser.eval("document.querySelector('#diagram').checkVisibility()"), false);
    browser.press("d");
    assert_eq!(browser.eval("document.querySelector('#diagram').checkVisibility()"), true);
    assert_eq!(browser.errors, Vec::<String>::new());
}

#[test]
fn filters_hide_what_they_say() {
    let (_sandbox, mut browser) = raft_page();
    let all = browser.eval(SHOWN);
    let choose = |id: &str, value: &str| {
        format!(
            "(() => {{ const e = document.getElementById('{id}'); e.value = '{value}'; \
                 e.dispatchEvent(new Event('input')); }})()"
        )
    };
    browser.eval(&choose("variable", "voted"));
    let paths = "[...document.querySelectorAll('.step:not([hidden]) .change:not([hidden]) .path')]\
                 .every(path => path.textContent.startsWith('voted'))";
    assert_eq!(browser.eval(paths), true);
    assert!(browser.eval(SHOWN).as_u64() < all.as_u64());
    assert_eq!(browser.eval("document.querySelectorAll('#values .variable-row').length"), 1);
    browser.press("Escape");
    assert_eq!(browser.eval(SHOWN), all);
    browser.eval(&choose("process", "2"));
    let lanes = "[...document.querySelectorAll('.step:not([hidden]) .lane')].every(lane => lane.textContent === 's3')";
    assert_eq!(browser.eval(lanes), true);
    assert!(browser.eval(SHOWN).as_u64() < all.as_u64());
    browser.press("Escape");
    browser.press("/");
    for letter in "crash".chars() {
        browser.press(&letter.to_string());
    }
    assert_eq!(browser.eval("document.querySelector('#find').value"), "crash");
    assert_eq!(browser.eval(SHOWN), 1);
    browser.click("#clear");
    assert_eq!(browser.eval(SHOWN), all);
    assert_eq!(browser.errors, Vec::<String>::new());
}

#[test]
fn messages_are_drawn_from_lane_to_lane() {
    let (_sandbox, mut browser) = raft_page();
    let names = "[...document.querySelectorAll('.lane-name')].map(name => name.textContent)";
    assert_eq!(browser.eval(names), json!(["s1", "s2", "s3"]));
    let labels = browser.eval(
        "[...new Set([...document.querySelectorAll('.label.taken')].map(l => l.firstChild.data))].sort()",
    );
    assert_eq!(labels, json!(["ask", "vote"]));
    browser.click("circle.event[data-state='3']");
    assert_eq!(browser.eval(CHOSEN), "4");
}

#[test]
fn it_can_be_read_in_any_window_and_light() {
    let (_sandbox, mut browser) = raft_page();
    let back = "getComputedStyle(document.body).backgroundColor";
    for width in [1280, 400] {
        browser.look((width, 800), false);
        let light = browser.eval(back);
        assert_eq!(browser.eval("document.documentElement.scrollWidth <= innerWidth"), true, "{width} wide");
        browser.look((width, 800), true);
        assert_ne!(browser.eval(back), light);
    }
}

#[test]
fn an_expression_is_marked_and_is_no_part_of_a_variable_whose_name_it_begins_with() {
    let states = "{\"x\":1,\"x + 1\":2},{\"x\":1,\"x + 1\":3}";
    let meta = "{\"format\":\"ITF\",\"expressions\":\"[\\\"x + 1\\\"]\"}";
    let text = format!("{{\"#meta\":{meta},\"vars\":[\"x\",\"x + 1\"],\"states\":[{states}]}}");
    let sandbox = Sandbox::new().file("x.itf.json", text).folder("profile");
    sandbox.run("trace html x.itf.json");
    let mut browser = Browser::open(&sandbox.path().join("x.html"), &sandbox.path().join("profile"));
    browser.press("j");
    let marked =
        "[...document.querySelectorAll('#values .expression .name')].map(name => name.textContent).join()";
    assert_eq!(browser.eval(marked), "x + 1");
    let changed =
        "[...document.querySelectorAll('#values .changed .name')].map(name => name.textContent).join()";
    assert_eq!(browser.eval(changed), "x + 1");
    assert_eq!(browser.errors, Vec::<String>::new());
}

/// `n` states of two processes that pass a number on.
fn long_trace(n: usize) -> String {
    let state = |index: usize| {
        let (mine, other) = if index.is_multiple_of(2) { ("a", "b") } else { ("b", "a") };
        let meta = format!(
            "{{\"index\":{index},\"action\":\"Pass\",\"parameters\":\"{{\\\"n\\\":\\\"{other}\\\"}}\"}}"
        );
        let message = format!(
            "{{\"from\":\"{other}\",\"to\":\"{mine}\",\"type\":\"pass\",\"round\":{{\"#bigint\":\"{index}\"}}}}"
        );
        format!(
            "{{\"#meta\":{meta},\"msgs\":{{\"#set\":[{message}]}},\
             \"seen\":{{\"#map\":[[\"{mine}\",{{\"#bigint\":\"{index}\"}}],[\"{other}\",{{\"#bigint\":\"0\"}}]]}}}}"
        )
    };
    let states: Vec<String> = (0..n).map(state).collect();
    let meta = "{\"format\":\"ITF\",\"modelValues\":\"[\\\"a\\\",\\\"b\\\"]\"}";
    format!("{{\"#meta\":{meta},\"vars\":[\"msgs\",\"seen\"],\"states\":[{}]}}", states.join(",\n"))
}

#[test]
fn a_thousand_steps_are_as_good_as_ten() {
    let sandbox = Sandbox::new().file("long.itf.json", long_trace(1000)).folder("profile");
    assert_eq!(sandbox.run("trace html long.itf.json").stdout(), "long.html\n");
    let mut browser = Browser::open(&sandbox.path().join("long.html"), &sandbox.path().join("profile"));
    assert_eq!(browser.eval(SHOWN), 1000);
    assert_eq!(browser.eval("document.querySelectorAll('line.message').length > 990"), true);
    browser.press("End");
    assert_eq!(browser.eval(CHOSEN), "1000");
    let in_sight = "(() => { const [o, i] = [document.querySelector('#steps'), \
                    document.querySelector('#step-1000')].map(e => e.getBoundingClientRect()); \
                    return i.top >= o.top && i.top < o.bottom; })()";
    assert_eq!(browser.eval(in_sight), true);
    let lanes_in_sight = "(() => { const [o, i] = [document.querySelector('#diagram'), \
                          document.querySelector('#lane-names')].map(e => e.getBoundingClientRect()); \
                          return o.height > 0 && i.top >= o.top && i.bottom <= o.bottom; })()";
    assert_eq!(browser.eval(lanes_in_sight), true);
    browser.press("k");
    assert_eq!(browser.eval(CHOSEN), "999");
    assert_eq!(browser.errors, Vec::<String>::new());
}
