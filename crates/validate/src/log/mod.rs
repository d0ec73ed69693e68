//! Reads raw lines as events, and puts events into an order in which they can have happened.

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
pub use json::{Json, Valuer};
pub(crate) use lines::Lines;
pub use lines::Skipped;
pub use text::{NoText, Oddity, decode};

use crate::outcome::LoggedEvent;

/// A file of a log.
pub struct LogInput<'i> {
    /// The name of the file in messages.
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
    /// The number of its kind among those that have rules; 0 for events without a kind.
    pub kind: u32,
    /// The kind of the previous event at the same node.
    pub kind_before: Option<u32>,
    pub node: Option<Box<str>>,
}

impl Event {
    pub fn to_logged(&self, number: usize, names: &[String]) -> LoggedEvent {
        LoggedEvent {
            number: number + 1,
            file: names[self.file as usize].clone(),
            line: self.line as usize,
            text: self.text.to_string(),
        }
    }
}

/// Creates an error message about a line.
pub(crate) fn at_line(code: Code, (file, line): (&str, u32), what: &str) -> Diagnostic {
    Diagnostic::without_place(code, format!("`{file}`, line {line}: {what}"))
}

/// Returns the line, shortened if it is long.
pub(crate) fn shorten(text: &str) -> String {
    const CHARS_MAX: usize = 300;
    let mut shown: String = text.chars().take(CHARS_MAX).collect();
    if text.chars().count() > CHARS_MAX {
        shown.push_str(" ...");
    }
    diag::render::printable(&shown).to_string()
}
