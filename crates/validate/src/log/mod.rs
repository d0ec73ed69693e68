//! Raw lines to events, and events in an order that they can have happened in.

pub(crate) mod commuting;
mod course;
mod json;
mod lines;
pub(crate) mod messages;
pub(crate) mod partial;
mod shapes;
mod text;

use std::io::BufRead;

use diag::{Code, Diagnostic};

pub(crate) use course::{Choices, Course, Merge, Position};
pub(crate) use json::{Json, Valuer};
pub(crate) use lines::Lines;
pub use lines::Skipped;
pub use text::{NoText, Oddity, decoded};

use crate::outcome::LoggedEvent;

/// A file of a log.
pub struct LogInput<'i> {
    /// As messages call it.
    pub name: String,
    pub reader: Box<dyn BufRead + 'i>,
}

/// A line that is to be explained.
#[derive(Debug)]
pub(crate) struct Event {
    pub file: u32,
    pub line: u32,
    pub text: Box<str>,
    pub tree: Json,
    /// Among the kinds that there are rules for; of those without a kind the first.
    pub kind: u32,
    /// The kind of the event before at the same node.
    pub kind_before: Option<u32>,
    pub node: Option<Box<str>>,
}

impl Event {
    pub fn logged(&self, number: usize, names: &[String]) -> LoggedEvent {
        LoggedEvent {
            number: number + 1,
            file: names[self.file as usize].clone(),
            line: self.line as usize,
            text: self.text.to_string(),
        }
    }
}

/// What is wrong with a line.
pub(crate) fn at_line(code: Code, (file, line): (&str, u32), what: &str) -> Diagnostic {
    Diagnostic::without_place(code, format!("`{file}`, line {line}: {what}"))
}

/// The line, no longer than can be read at once.
pub(crate) fn shown(text: &str) -> String {
    const CHARS_MAX: usize = 300;
    let mut shown: String = text.chars().take(CHARS_MAX).collect();
    if text.chars().count() > CHARS_MAX {
        shown.push_str(" ...");
    }
    diag::render::printable(&shown).to_string()
}
