//! Events that a tap reports, and their form as lines of JSON.

use serde::Serialize;
use serde_json::Value;

/// Something that was seen of a node.
#[derive(Clone, Debug, PartialEq)]
pub enum TapEvent {
    /// A message came in for the node.
    In { node: String, from: Option<String>, connection: String, message: Value },
    /// A message of the node went out.
    Out { node: String, to: Option<String>, connection: String, message: Value },
    /// The process of the node was started again.
    Restart { node: String },
    /// Messages of or for the node are not known.
    Gap { node: String, why: String },
    /// Something for people; nothing is judged by it.
    Note { why: String },
}

impl TapEvent {
    /// Returns the node that this was seen of.
    pub fn node(&self) -> Option<&str> {
        match self {
            TapEvent::In { node, .. }
            | TapEvent::Out { node, .. }
            | TapEvent::Restart { node }
            | TapEvent::Gap { node, .. } => Some(node),
            TapEvent::Note { .. } => None,
        }
    }

    /// Returns the event as a monitor reads it: a line of JSON without its end.
    pub fn line(&self) -> String {
        let none = Line::default();
        let line = match self {
            TapEvent::In { node, from, connection, message } => Line {
                event: "in",
                node: Some(node),
                from: from.as_deref(),
                connection: Some(connection),
                message: Some(message),
                ..none
            },
            TapEvent::Out { node, to, connection, message } => Line {
                event: "out",
                node: Some(node),
                to: to.as_deref(),
                connection: Some(connection),
                message: Some(message),
                ..none
            },
            TapEvent::Restart { node } => Line { event: "restart", node: Some(node), ..none },
            TapEvent::Gap { node, why } => Line { event: "gap", node: Some(node), why: Some(why), ..none },
            TapEvent::Note { why } => Line { event: "note", why: Some(why), ..none },
        };
        serde_json::to_string(&line).expect("texts and values of JSON have a form in JSON")
    }
}

/// The fields of a line, in their order.
#[derive(Clone, Copy, Debug, Default, Serialize)]
struct Line<'a> {
    event: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    node: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    from: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    to: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    connection: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<&'a Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    why: Option<&'a str>,
}
