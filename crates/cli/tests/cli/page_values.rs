//! Values in the page of a trace, in a real browser: tables, trees, and nothing that is taken for markup.

use serde_json::{Value, json};
use test_kit::Browser;

use crate::sandbox::Sandbox;

fn opened(trace: &Value) -> (Sandbox, Browser) {
    let sandbox = Sandbox::new().file("t.itf.json", trace.to_string()).folder("profile");
    assert_eq!(sandbox.run("trace html t.itf.json").stdout(), "t.html\n");
    let mut browser = Browser::open(&sandbox.path().join("t.html"), &sandbox.path().join("profile"));
    browser.look((1280, 800), false);
    (sandbox, browser)
}

fn int(value: usize) -> Value {
    json!({ "#bigint": value.to_string() })
}

/// Two nodes with a record each, a log of records, and a set of many numbers.
fn trace() -> Value {
    let node = |term: usize| json!({ "term": int(term), "role": "follower" });
    let entry = |term: usize| json!({ "term": int(term), "value": "a value that is longer than a line has room for" });
    let state = |term: usize| {
        json!({
            "node": { "#map": [["a", node(term)], ["b", node(1)]] },
            "next": { "#map": [["a", { "#map": [["a", int(1)], ["b", int(1)]] }], ["b", { "#map": [["a", int(1)], ["b", int(2)]] }]] },
            "log": [entry(1), entry(2)],
            "many": { "#set": (term..10_000 + term).map(int).collect::<Vec<_>>() },
        })
    };
    let meta = json!({ "format": "ITF", "modelValues": "[\"a\",\"b\"]" });
    json!({ "#meta": meta, "vars": ["node", "next", "log", "many"], "states": [state(1), state(2)] })
}

#[test]
fn what_each_process_has_is_a_table_of_variables_by_processes() {
    let (_sandbox, mut browser) = opened(&trace());
    browser.press("j");
    let heads = "[...document.querySelectorAll('.processes thead th')].map(head => head.textContent)";
    assert_eq!(browser.eval(heads), json!(["", "a", "b"]));
    let rows = "[...document.querySelectorAll('.processes > tbody > tr')].slice(0, 2) \
                .map(row => [...row.children].map(cell => cell.textContent))";
    let expected = json!([["node.role", "\"follower\"", "\"follower\""], ["node.term", "2", "1"]]);
    assert_eq!(browser.eval(rows), expected);
    let changed =
        "[...document.querySelectorAll('.changed-cell')].map(cell => [cell.textContent, cell.title])";
    assert_eq!(browser.eval(changed), json!([["2", "was 1"]]));
}

#[test]
fn records_are_rows_of_a_table_and_long_values_open_part_by_part() {
    let (_sandbox, mut browser) = opened(&trace());
    let heads = "[...document.querySelectorAll('table.columns thead th')].map(head => head.textContent)";
    assert_eq!(browser.eval(heads), json!(["", "term", "value"]));
    let many = "[...document.querySelectorAll('.others > tbody > tr')].at(-1)";
    assert_eq!(
        browser.eval(&format!("{many}.querySelector('summary').textContent.includes('10,000 elements')")),
        true
    );
    assert_eq!(browser.eval(&format!("{many}.querySelectorAll('tr').length")), 0);
    browser.click(".others > tbody > tr:last-child summary");
    browser.expect(&format!("{many}.querySelectorAll('tr').length"), &json!(101));
    browser.click("button.more");
    browser.expect(&format!("{many}.querySelectorAll('tr').length"), &json!(201));
    // It stays open in the next state.
    browser.press("j");
    assert_eq!(browser.eval(&format!("{many}.querySelector('details').open")), true);
    // A tree is opened by keys, too.
    browser.eval(&format!("{many}.querySelector('summary').focus()"));
    browser.press("Enter");
    assert_eq!(browser.errors, Vec::<String>::new());
}

#[test]
fn nothing_in_a_value_is_markup() {
    let nasty = "</script><img src=x onerror=document.title='hit'><!--";
    let meta = json!({ "action": nasty, "parameters": json!({ nasty: nasty }).to_string() });
    let state = |value: &str| json!({ "#meta": meta, "f": { "#map": [[nasty, value], ["b", value]] }, "g": { "#map": [[nasty, value], ["b", value]] }, nasty: [value, { nasty: value }] });
    let states = [state("one"), state(nasty)];
    let (_sandbox, mut browser) =
        opened(&json!({ "#meta": { "format": "ITF" }, "vars": ["f", "g", nasty], "states": states }));
    browser.press("j");
    assert_eq!(browser.eval("document.querySelectorAll('img').length"), 0);
    assert_eq!(browser.eval("document.title === 'hit'"), false);
    let shown = browser.eval("document.body.innerText");
    assert!(shown.as_str().is_some_and(|text| text.contains("onerror=")), "{shown}");
    assert_eq!(browser.errors, Vec::<String>::new());
}
