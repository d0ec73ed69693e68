//! The events that a tap reports: messages that enter and leave a process, and what happened to it, one JSON object a line.

use trace::Datum;
use validate::Json;

/// A message as a tap has it.
#[derive(Clone, Debug)]
pub enum Body {
    Json(Json),
    /// A message of the specification itself.
    Datum(Datum),
}

/// Something that was seen of a process.
#[derive(Clone, Debug)]
pub struct Event {
    /// The number of the line, or of the event where there are no lines.
    pub number: u64,
    pub kind: EventForm,
}

#[derive(Clone, Debug)]
pub enum EventForm {
    /// A message for the process. Messages of one connection arrive in the order in which they were sent.
    In { from: Option<String>, connection: Option<String>, body: Body },
    /// A message of the process.
    Out { to: Option<String>, body: Body },
    /// The process was started again.
    Restart,
    /// Something was lost before this.
    Gap { why: Option<String> },
}

/// Why a line is none of these.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadLine {
    pub what: String,
    pub help: &'static str,
}

/// Reads a line. An empty line says nothing.
pub fn parse_line(text: &str, number: u64) -> Result<Option<Event>, BadLine> {
    if text.trim().is_empty() {
        return Ok(None);
    }
    let json: Json = serde_json::from_str(text).map_err(|error| BadLine {
        what: format!("this is no JSON: {error}"),
        help: "write one object in each line, and nothing else",
    })?;
    let json = json.with_all_digits(text);
    let word = |name: &str| json.field(name).and_then(Json::word);
    let kind = match word("event").as_deref() {
        Some("in") => {
            let (from, connection) = (word("from"), word("connection"));
            EventForm::In { from, connection, body: body(json)? }
        }
        Some("out") => {
            let to = word("to");
            EventForm::Out { to, body: body(json)? }
        }
        Some("restart") => EventForm::Restart,
        Some("gap") => EventForm::Gap { why: word("why") },
        // For people.
        Some("note") => return Ok(None),
        Some(other) => return Err(wrong_kind(&format!("`event` is `{other}`"))),
        None => return Err(wrong_kind("there is no `event`")),
    };
    Ok(Some(Event { number, kind }))
}

fn wrong_kind(what: &str) -> BadLine {
    BadLine { what: what.to_owned(), help: "`event` is \"in\", \"out\", \"restart\" or \"gap\"" }
}

/// Takes the message out of an event.
fn body(json: Json) -> Result<Body, BadLine> {
    if let Json::Object(mut members) = json
        && let Some(at) = members.iter().rposition(|(name, _)| name.as_ref() == "message")
    {
        return Ok(Body::Json(members.swap_remove(at).1));
    }
    Err(BadLine {
        what: "there is no `message`".to_owned(),
        help: "\"in\" and \"out\" have the message as a JSON value in `message`",
    })
}

#[cfg(test)]
mod tests {
    use super::{EventForm, parse_line};

    #[test]
    fn lines_are_events() {
        let line = r#"{"event":"in","from":"n2","message":{"term":1}}"#;
        let event = parse_line(line, 3).unwrap().unwrap();
        assert_eq!(event.number, 3);
        assert!(
            matches!(event.kind, EventForm::In { from: Some(from), connection: None, .. } if from == "n2")
        );
        assert!(parse_line("  ", 1).unwrap().is_none());
        assert!(parse_line(r#"{"event":"note","why":"x"}"#, 1).unwrap().is_none());
        let restart = parse_line(r#"{"event":"restart"}"#, 1).unwrap().unwrap();
        assert!(matches!(restart.kind, EventForm::Restart));
    }

    #[test]
    fn other_lines_are_refused() {
        for (line, told) in [
            ("{", "no JSON"),
            (r#"{"event":"out"}"#, "no `message`"),
            (r#"{"event":"sent"}"#, "`event` is `sent`"),
            ("7", "no `event`"),
        ] {
            assert!(parse_line(line, 1).unwrap_err().what.contains(told), "{line}");
        }
    }
}
