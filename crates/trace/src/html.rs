//! A trace as one page for a browser: it needs nothing but itself, and asks no network.
//!
//! The page is a frame, a style and a script that stand beside this file; the trace goes into it as data, so nothing in
//! a trace can be taken for markup or code.

use serde::Serialize;

use crate::diagram::Diagram;
use crate::{Trace, headline, json};

const FRAME: &str = include_str!("html/frame.html");
const STYLE: &str = include_str!("html/style.css");
const SCRIPT: &str = include_str!("html/script.js");

/// The page of a trace, with its lanes if there are any.
pub fn html(trace: &Trace, diagram: Option<&Diagram>) -> String {
    let diagram = serde_json::to_string(&diagram.map(JsonDiagram::new)).expect("text and numbers are JSON");
    let data = format!("{{\"trace\":{},\"diagram\":{diagram}}}", json(trace, true));
    let parts = [
        ("{{title}}", escaped(&headline(&trace.finding))),
        ("{{style}}", STYLE.to_owned()),
        ("{{script}}", SCRIPT.to_owned()),
        ("{{data}}", in_script(&data)),
    ];
    // What is put in is not looked at again: a value may well look like a place to fill.
    let mut page = String::with_capacity(FRAME.len() + STYLE.len() + SCRIPT.len() + data.len());
    let mut rest = FRAME;
    while let Some((at, mark, part)) = next_mark(rest, &parts) {
        page.push_str(&rest[..at]);
        page.push_str(part);
        rest = &rest[at + mark.len()..];
    }
    page.push_str(rest);
    page
}

fn next_mark<'p>(rest: &str, parts: &'p [(&'static str, String)]) -> Option<(usize, &'static str, &'p str)> {
    let places = parts.iter().filter_map(|(mark, part)| Some((rest.find(mark)?, *mark, part.as_str())));
    places.min_by_key(|&(at, _, _)| at)
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// JSON that cannot end the element that it stands in.
fn in_script(json: &str) -> String {
    json.replace('<', "\\u003c").replace('\u{2028}', "\\u2028").replace('\u{2029}', "\\u2029")
}

#[derive(Serialize)]
struct JsonDiagram<'d> {
    lanes: &'d [String],
    lane_of_state: &'d [Option<usize>],
    messages: Vec<JsonMessage<'d>>,
}

#[derive(Serialize)]
struct JsonMessage<'d> {
    label: &'d str,
    from: Option<usize>,
    to: Option<usize>,
    sent: usize,
    taken: &'d [usize],
    lost: Option<usize>,
}

impl<'d> JsonDiagram<'d> {
    fn new(diagram: &'d Diagram) -> Self {
        let messages = diagram.messages.iter().map(|message| JsonMessage {
            label: &message.label,
            from: message.from,
            to: message.to,
            sent: message.sent,
            taken: &message.taken,
            lost: message.lost,
        });
        JsonDiagram {
            lanes: &diagram.lanes,
            lane_of_state: &diagram.lane_of_state,
            messages: messages.collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::html;
    use crate::{Binding, Datum, Finding, State, Step, Trace};

    #[test]
    fn nothing_in_a_trace_is_markup_or_a_place_to_fill() {
        let mut trace = Trace::new(vec!["x".to_owned()]);
        let nasty = "</script><script>alert(1)</script>{{script}}";
        trace.finding = Finding::Assertion { message: nasty.to_owned() };
        let parameters = vec![Binding::new("p", Datum::string(nasty))];
        let step = Step { name: nasty.to_owned(), place: None, parameters };
        trace.states.push(State { step: Some(step), values: vec![Some(Datum::string(nasty))] });
        let page = html(&trace, None);
        assert_eq!(page.matches("<script").count(), 2, "one with the data, one with the program");
        assert_eq!(page.matches("</script>").count(), 2);
        assert!(page.contains("\\u003c/script>"));
    }
}
