//! A trace as one page for a browser: it needs nothing but itself, and asks no network.
//!
//! What is in the frame of every page, and its style and script, stand beside this file.

use page::Page;
use serde::Serialize;

use crate::diagram::Diagram;
use crate::{Trace, headline, json};

const BODY: &str = include_str!("html/body.html");
const STYLE: &str = include_str!("html/style.css");
const SCRIPT: &str = include_str!("html/script.js");

/// The page of a trace, with its lanes if there are any.
pub fn html(trace: &Trace, diagram: Option<&Diagram>) -> String {
    let diagram = serde_json::to_string(&diagram.map(JsonDiagram::new)).expect("text and numbers are JSON");
    let data = format!("{{\"trace\":{},\"diagram\":{diagram}}}", json(trace, true));
    Page { title: &headline(&trace.finding), body: BODY, style: STYLE, script: SCRIPT, data: &data }.text()
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
