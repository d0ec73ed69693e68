//! The reasons why a text is not a trace, with the place and the remedy.

use std::fmt;

/// The reason why a text is not a trace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ItfError {
    pub kind: ItfErrorKind,
    /// The position in the text, if it is known.
    pub position: Option<Position>,
    /// The path in the data, such as `states[3].x`; empty for the whole.
    pub path: String,
    /// The message: lower case, no full stop, names in backticks.
    pub message: String,
    pub help: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ItfErrorKind {
    /// The text ends before the JSON does.
    Truncated,
    /// The text is not JSON.
    NotJson,
    /// The text is JSON, but not a trace.
    NotItf,
}

/// Line and column from 1; the column counts bytes, as JSON parsers do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    pub line: usize,
    pub column: usize,
}

impl ItfError {
    /// Creates an error about something at `path`.
    pub(crate) fn shape(path: &Path<'_>, message: impl Into<String>, help: impl Into<String>) -> Self {
        ItfError {
            kind: ItfErrorKind::NotItf,
            position: None,
            path: path.to_string(),
            message: message.into(),
            help: help.into(),
        }
    }

    pub(super) fn json(error: &serde_json::Error) -> Self {
        use serde_json::error::Category;
        let (kind, message, help) = match error.classify() {
            Category::Eof => (
                ItfErrorKind::Truncated,
                "the text ends in the middle of the trace".to_owned(),
                "write the file again: whoever wrote it was interrupted, or the copy is not complete",
            ),
            // Our own visitor refused it.
            Category::Data => (
                ItfErrorKind::NotItf,
                without_place(error),
                "a trace holds values of TLA+: docs/itf.md lists the forms",
            ),
            Category::Syntax | Category::Io => (
                ItfErrorKind::NotJson,
                format!("not JSON: {}", without_place(error)),
                "a trace is a JSON object, as `specline check --trace FILE` writes it",
            ),
        };
        let position = Position { line: error.line(), column: error.column() };
        let position = (position.line > 0).then_some(position);
        ItfError { kind, position, path: String::new(), message, help: help.to_owned() }
    }
}

/// Returns the message of serde_json without the line and column that it adds.
fn without_place(error: &serde_json::Error) -> String {
    let text = error.to_string();
    text.rsplit_once(" at line ").map_or(text.clone(), |(message, _)| message.to_owned())
}

impl fmt::Display for ItfError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(Position { line, column }) = self.position {
            write!(f, "line {line}, column {column}: ")?;
        }
        if !self.path.is_empty() {
            write!(f, "`{}`: ", self.path)?;
        }
        f.write_str(&self.message)
    }
}

impl std::error::Error for ItfError {}

/// The path of the reader in the data: a list on the stack, so that it costs nothing as long as there is no error.
#[derive(Clone, Copy)]
pub(crate) enum Path<'a> {
    Root,
    Field(&'a Path<'a>, &'a str),
    Index(&'a Path<'a>, usize),
}

impl Path<'_> {
    pub fn field<'a>(&'a self, name: &'a str) -> Path<'a> {
        Path::Field(self, name)
    }

    pub fn index(&self, index: usize) -> Path<'_> {
        Path::Index(self, index)
    }
}

/// The most steps of a path that are shown.
const PATH_STEPS_MAX: usize = 40;

impl fmt::Display for Path<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut steps = Vec::new();
        let mut rest = self;
        loop {
            match rest {
                Path::Root => break,
                Path::Field(before, _) | Path::Index(before, _) => {
                    steps.push(rest);
                    rest = before;
                }
            }
        }
        steps.reverse();
        for (at, step) in steps.iter().take(PATH_STEPS_MAX).enumerate() {
            match step {
                Path::Root => {}
                Path::Field(_, name) if at == 0 => write!(f, "{name}")?,
                Path::Field(_, name) => write!(f, ".{name}")?,
                Path::Index(_, index) => write!(f, "[{index}]")?,
            }
        }
        if steps.len() > PATH_STEPS_MAX { f.write_str("…") } else { Ok(()) }
    }
}
