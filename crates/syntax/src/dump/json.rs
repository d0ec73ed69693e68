//! Prints events as JSON. Written by hand, because the tree can be deeper than a recursive writer's stack.

use std::fmt::Write;

use diag::Span;

use super::events::{Event, Events, Shown};

/// Prints the events as one line of JSON; `place` writes the value of a node's `span`.
pub fn print(events: &Events<'_>, place: impl Fn(Span, &mut String)) -> String {
    let mut printer = Printer { out: String::new(), open: Vec::new(), needs_comma: false, place };
    for event in &events.0 {
        printer.event(event);
    }
    printer.out.push('\n');
    printer.out
}

struct Printer<P> {
    out: String,
    /// The closing brackets of the open objects and lists.
    open: Vec<char>,
    needs_comma: bool,
    place: P,
}

impl<P: Fn(Span, &mut String)> Printer<P> {
    fn event(&mut self, event: &Event<'_>) {
        match event {
            Event::Open { kind, span, .. } => {
                self.object(kind, *span);
                self.open.push('}');
            }
            Event::List { .. } => {
                self.separate();
                self.out.push('[');
                self.open.push(']');
                self.needs_comma = false;
            }
            Event::Key(key) => self.key(key),
            Event::Hidden(key, shown) => {
                self.key(key);
                self.value(shown);
            }
            Event::Leaf { kind, key, shown, span } => {
                self.object(kind, *span);
                self.key(key);
                self.value(shown);
                self.out.push('}');
            }
            Event::Atom(shown) => {
                self.separate();
                self.value(shown);
            }
            Event::Close => {
                self.out.extend(self.open.pop());
                self.needs_comma = true;
            }
        }
    }

    fn separate(&mut self) {
        if std::mem::replace(&mut self.needs_comma, true) {
            self.out.push(',');
        }
    }

    fn key(&mut self, key: &str) {
        self.separate();
        self.write_quoted(key);
        self.out.push(':');
        self.needs_comma = false;
    }

    /// Writes `{"kind":...,"span":...`, left open.
    fn object(&mut self, kind: &str, span: Span) {
        self.separate();
        self.out.push_str("{\"kind\":");
        self.write_quoted(kind);
        self.out.push_str(",\"span\":");
        (self.place)(span, &mut self.out);
        self.needs_comma = true;
    }

    fn value(&mut self, shown: &Shown<'_>) {
        match shown {
            Shown::Word(word) => self.write_quoted(word),
            Shown::Quoted(text) => self.write_quoted(text),
            Shown::Number(number) => {
                write!(self.out, "{number}").expect("a String takes what is written");
            }
            Shown::Bool(value) => self.out.push_str(if *value { "true" } else { "false" }),
        }
        self.needs_comma = true;
    }

    fn write_quoted(&mut self, text: &str) {
        self.out.push('"');
        for next in text.chars() {
            match next {
                '"' => self.out.push_str("\\\""),
                '\\' => self.out.push_str("\\\\"),
                '\n' => self.out.push_str("\\n"),
                '\r' => self.out.push_str("\\r"),
                '\t' => self.out.push_str("\\t"),
                control if control < ' ' => {
                    write!(self.out, "\\u{:04x}", control as u32).expect("a String takes what is written");
                }
                other => self.out.push(other),
            }
        }
        self.out.push('"');
    }
}
