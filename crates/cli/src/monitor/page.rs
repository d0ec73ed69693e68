//! An alarm as a page for a browser: the message, what the specification would have sent in its place, what each action
//! lacked, the state, and the steps that explain what came before.

use report::page::Page;
use serde_json::json;

const BODY: &str = include_str!("page/body.html");
const STYLE: &str = include_str!("page/style.css");
const SCRIPT: &str = include_str!("page/script.js");

/// Returns the page of an alarm, which is given as JSON.
pub fn html(alarm: &serde_json::Value, spec: &str) -> String {
    let node = alarm["node"].as_str().unwrap_or_default();
    let title = format!("{node} does not follow {spec}");
    let data = json!({ "spec": spec, "alarm": alarm }).to_string();
    Page { title: &title, body: BODY, style: STYLE, script: SCRIPT, data: &data }.text()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    #[test]
    fn nothing_in_an_alarm_is_markup() {
        let nasty = "</script><script>alert(1)</script>";
        let page = super::html(&json!({ "node": nasty, "message": nasty }), nasty);
        assert_eq!(page.matches("<script").count(), 2, "one with the data, one with the program");
    }
}
