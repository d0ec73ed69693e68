//! The sequence diagram of a page, in a real browser: lanes that are guessed, what is drawn in them, filters, print.

use serde_json::{Value, json};
use test_kit::Browser;

use crate::sandbox::Sandbox;

/// A trace as ITF: for each state an action, its parameters as JSON, and the variables.
fn itf(variables: &[&str], models: &[&str], states: &[(&str, Value, Value)]) -> String {
    let states: Vec<Value> = states
        .iter()
        .map(|(action, parameters, values)| {
            let mut state = values.clone();
            state["#meta"] = json!({ "action": action, "parameters": parameters.to_string() });
            state
        })
        .collect();
    let meta = json!({ "format": "ITF", "modelValues": json!(models).to_string() });
    json!({ "#meta": meta, "vars": variables, "states": states }).to_string()
}

fn opened(text: String) -> (Sandbox, Browser) {
    let sandbox = Sandbox::new().file("t.itf.json", text).folder("profile");
    assert_eq!(sandbox.run("trace html t.itf.json").stdout(), "t.html\n");
    let mut browser = Browser::open(&sandbox.path().join("t.html"), &sandbox.path().join("profile"));
    browser.look((1280, 800), false);
    (sandbox, browser)
}

fn texts(browser: &mut Browser, selector: &str) -> Value {
    browser.eval(&format!("[...document.querySelectorAll('{selector}')].map(e => e.textContent)"))
}

/// Two servers of which one crashes and comes back, with links that are cut, and a message that is lost.
fn troubled() -> String {
    let int = |value: u32| json!({ "#bigint": value.to_string() });
    let state = |terms: [u32; 2], roles: [&str; 2], down: Value, cut: Value, wire: Value| {
        json!({
            "term": { "#map": [["a", int(terms[0])], ["b", int(terms[1])]] },
            "role": { "#map": [["a", roles[0]], ["b", roles[1]]] },
            "wire": { "#set": wire },
            "faults": { "crashed": { "#set": down }, "cut": { "#set": cut } },
        })
    };
    let ask = json!([{ "src": "a", "dest": "b", "kind": "ask" }]);
    let (none, ab) = (json!([]), json!([{ "#set": ["a", "b"] }]));
    let (one, two) = (["follower", "follower"], ["leader", "follower"]);
    let states = [
        ("Init", json!({}), state([0, 0], one, none.clone(), none.clone(), none.clone())),
        ("Stand", json!({ "i": "a" }), state([1, 0], two, none.clone(), none.clone(), ask)),
        ("Crash", json!({ "i": "b" }), state([1, 0], two, json!(["b"]), none.clone(), none.clone())),
        ("Sever", json!({}), state([1, 0], two, json!(["b"]), ab.clone(), none.clone())),
        ("Restart", json!({ "i": "b" }), state([1, 0], two, none.clone(), ab, none.clone())),
        ("Mend", json!({}), state([1, 0], two, none.clone(), none.clone(), none)),
    ];
    itf(&["term", "role", "wire", "faults"], &["a", "b"], &states)
}

#[test]
fn crashes_restarts_cuts_roles_and_terms_are_in_the_lanes() {
    let (_sandbox, mut browser) = opened(troubled());
    assert_eq!(texts(&mut browser, ".lane-name"), json!(["a", "b"]));
    let places = "['.crash', '.restart', 'rect.cut', 'line.message.lost', '.lane-line.down'] \
                  .map(it => document.querySelectorAll(`#lanes ${it}`).length)";
    assert_eq!(browser.eval(places), json!([1, 1, 1, 1, 1]));
    let pills = "[...document.querySelectorAll('#lanes .pill text')].map(e => e.textContent)";
    assert_eq!(browser.eval(pills), json!(["follower · 0", "follower · 0", "leader · 1"]));
    let legend = browser.eval("document.querySelector('#legend').textContent");
    let legend = legend.as_str().expect("a text");
    for word in
        ["a step", "lost", "crash", "does not run", "restart", "links are cut", "leader", "role · term"]
    {
        assert!(legend.contains(word), "{word}: {legend}");
    }
    assert_eq!(browser.errors, Vec::<String>::new());
}

/// A broadcast that nobody has taken yet, and steps of several processes: enough to get into each other's way.
#[test]
fn no_two_labels_are_in_the_same_place() {
    let nodes = ["n1", "n2", "n3", "n4"];
    let all = |value: Value| -> Value { json!({ "#map": nodes.map(|node| json!([node, value])).to_vec() }) };
    let message =
        |from: usize, to: usize, kind: &str| json!({ "from": nodes[from], "to": nodes[to], "type": kind });
    let mut wire: Vec<Value> = Vec::new();
    let mut states = vec![("Init", json!({}), json!({ "seen": all(json!(false)), "wire": { "#set": [] } }))];
    for (from, name) in nodes.iter().enumerate() {
        for kind in ["a-rather-long-name-of-a-message", "vote"] {
            wire.extend((0..4).filter(|&to| to != from).map(|to| message(from, to, kind)));
        }
        let seen = all(json!(from % 2 == 0));
        let step = ("ASomewhatLongActionName", json!({ "i": name }));
        states.push((step.0, step.1, json!({ "seen": seen, "wire": { "#set": wire } })));
    }
    for (to, name) in nodes.iter().enumerate() {
        wire.retain(|message| message["to"] != *name || message["type"] == "vote");
        let values = json!({ "seen": all(json!(to % 2 == 1)), "wire": { "#set": wire } });
        states.push(("Take", json!({ "i": name }), values));
    }
    let (_sandbox, mut browser) = opened(itf(&["seen", "wire"], &nodes, &states));
    let overlaps = "(() => { const boxes = [...document.querySelectorAll('#lanes .label, #lanes .pill, #lanes .note')] \
                    .map(e => [e.firstChild.data ?? e.textContent, e.getBBox()]); const found = []; \
                    boxes.forEach(([a, p], i) => boxes.slice(i + 1).forEach(([b, q]) => { \
                      if (p.x + p.width > q.x + 1 && q.x + q.width > p.x + 1 && p.y + p.height > q.y + 3 && q.y + q.height > p.y + 3) \
                        found.push(`${a} and ${b}`); })); return [boxes.length > 20, found]; })()";
    assert_eq!(browser.eval(overlaps), json!([true, []]));
}

#[test]
fn filters_act_on_the_diagram_as_well() {
    let (_sandbox, mut browser) = opened(troubled());
    let rows = "[...document.querySelectorAll('#lanes .state-row')].map(row => Number(row.dataset.state))";
    assert_eq!(browser.eval(rows), json!([0, 1, 2, 3, 4, 5]));
    browser.click(".lane-name[data-lane='1']");
    assert_eq!(browser.eval(rows), json!([2, 4]));
    assert_eq!(browser.eval("document.querySelector('#process').value"), "1");
    // What comes from a step that is not shown still has its place, above.
    assert_eq!(browser.eval("document.querySelectorAll('#lanes .message').length"), 1);
    browser.press("Escape");
    let choose = "(() => { const e = document.querySelector('#variable'); e.value = 'role'; \
                  e.dispatchEvent(new Event('input')); })()";
    browser.eval(choose);
    assert_eq!(browser.eval(rows), json!([0, 1]));
    browser.press("Escape");
    browser.press("/");
    for letter in "restart".chars() {
        browser.press(&letter.to_string());
    }
    assert_eq!(browser.eval(rows), json!([4]));
    browser.press("Escape");
    assert_eq!(browser.eval(rows), json!([0, 1, 2, 3, 4, 5]));
    assert_eq!(browser.errors, Vec::<String>::new());
}

#[test]
fn where_no_lanes_can_be_guessed_the_page_says_what_to_write() {
    let int = |value: u32| json!({ "#bigint": value.to_string() });
    let states = [
        ("Init", json!({}), json!({ "big": int(0) })),
        ("Fill", json!({ "who": "x" }), json!({ "big": int(5) })),
    ];
    let (_sandbox, mut browser) = opened(itf(&["big"], &[], &states));
    assert_eq!(browser.eval("document.querySelector('#diagram').checkVisibility()"), false);
    assert_eq!(browser.eval("document.querySelector('#hint pre').checkVisibility()"), true);
    let hint = browser.eval("document.querySelector('#hint').innerText");
    let hint = hint.as_str().expect("a text");
    assert!(hint.contains("specline.toml") && hint.contains("[trace]\nprocesses = ["), "{hint}");
}

#[test]
fn it_can_be_printed() {
    let (_sandbox, mut browser) = opened(troubled());
    browser.print();
    let shown = "['.tools', '#lanes', '#legend', '#steps', '#values'] \
                 .map(it => document.querySelector(it).checkVisibility())";
    assert_eq!(browser.eval(shown), json!([false, true, true, true, true]));
    let whole = "['#steps', '#diagram', '#state'].every(it => getComputedStyle(document.querySelector(it)).overflowY === 'visible')";
    assert_eq!(browser.eval(whole), true);
    assert_eq!(browser.eval("getComputedStyle(document.documentElement).colorScheme"), "light");
}
