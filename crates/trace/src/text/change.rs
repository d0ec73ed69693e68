//! Writes one change on a line, or on a few lines if the values are wide.

use super::page::{Ink, Line, Page, printable};
use crate::datum::text::{is_identifier, quote};
use crate::{Change, ChangeKind, Datum, PathStep};

/// Returns `log[n1][2].term`.
pub(crate) fn path_text(variable: &str, path: &[PathStep<'_>]) -> String {
    let mut text = printable(variable);
    for step in path {
        text.push_str(&match step {
            PathStep::Field(name) if is_identifier(name) => format!(".{name}"),
            PathStep::Field(name) => format!("[{}]", printable(&quote(name))),
            PathStep::Position(at) => format!("[{at}]"),
            PathStep::Argument(argument) => format!("[{argument}]"),
        });
    }
    text
}

/// Writes one change of `variable`, indented by `indent` blanks.
pub(super) fn write(page: &mut Page, indent: usize, variable: &str, change: &Change<'_>) {
    let head = || {
        Line::new().put(Ink::Plain, format!("{}{}", " ".repeat(indent), path_text(variable, &change.path)))
    };
    let told = if change.path.is_empty() {
        ChangeText::of_variable(&change.kind)
    } else {
        ChangeText::of(&change.kind)
    };
    let line = told.line(head());
    if line.width() <= page.style.width {
        return page.line(line);
    }
    let words = if told.words.is_empty() { String::new() } else { format!(" {}{}", told.words, told.tail) };
    page.line(head().put(Ink::Plain, format!(":{words}")));
    for (sign, value) in &told.values {
        let sign_line = Line::new().put(Ink::Plain, " ".repeat(indent + 2)).put(sign.ink(), sign.column());
        page.value(sign_line, sign.ink(), value);
    }
}

/// A change as words and values.
struct ChangeText<'a> {
    /// The words for the change, if the signs do not show it.
    words: &'static str,
    values: Vec<(Sign, &'a Datum)>,
    /// The text after the values.
    tail: String,
    is_replacement: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Sign {
    Old,
    New,
    Removed,
    Added,
}

impl Sign {
    fn ink(self) -> Ink {
        match self {
            Sign::Old | Sign::Removed => Ink::Old,
            Sign::New | Sign::Added => Ink::New,
        }
    }

    /// Returns the text before the value on a line of its own.
    fn column(self) -> &'static str {
        match self {
            Sign::Old => "was ",
            Sign::New => "now ",
            Sign::Removed => "- ",
            Sign::Added => "+ ",
        }
    }
}

impl<'a> ChangeText<'a> {
    fn of(kind: &ChangeKind<'a>) -> Self {
        let told = |words, values| ChangeText { words, values, tail: String::new(), is_replacement: false };
        match kind {
            ChangeKind::Replaced { old, new } => {
                ChangeText { is_replacement: true, ..told("", vec![(Sign::Old, old), (Sign::New, new)]) }
            }
            ChangeKind::Added { new } => told("added", vec![(Sign::Added, new)]),
            ChangeKind::Removed { old } => told("removed", vec![(Sign::Removed, old)]),
            ChangeKind::Elements { removed, added } => {
                let removed = removed.iter().map(|value| (Sign::Removed, *value));
                told("", removed.chain(added.iter().map(|value| (Sign::Added, *value))).collect())
            }
            ChangeKind::Items { n_old, at, removed, added } => Self::items(*n_old, *at, removed, added),
        }
    }

    /// Describes the change of a whole variable, which is not added or removed: it gets its first value, or loses it.
    fn of_variable(kind: &ChangeKind<'a>) -> Self {
        let told = ChangeText::of(kind);
        match kind {
            ChangeKind::Added { .. } => ChangeText { words: "had no value, now", ..told },
            ChangeKind::Removed { .. } => ChangeText { words: "has no value, was", ..told },
            ChangeKind::Replaced { .. } | ChangeKind::Elements { .. } | ChangeKind::Items { .. } => told,
        }
    }

    fn items(n_old: usize, at: usize, removed: &'a [Datum], added: &'a [Datum]) -> Self {
        let values = removed.iter().map(|value| (Sign::Removed, value));
        let values = values.chain(added.iter().map(|value| (Sign::Added, value))).collect();
        let (words, tail) = match (removed.len(), added.len()) {
            (0, _) if at > n_old => ("appended", String::new()),
            (0, _) => ("inserted", format!(" at {at}")),
            (_, 0) if at == 1 => ("removed", " from the front".to_owned()),
            (n, 0) if at + n > n_old => ("removed", " from the end".to_owned()),
            (_, 0) => ("removed", format!(" at {at}")),
            (_, _) => ("exchanged", format!(" at {at}")),
        };
        ChangeText { words, values, tail, is_replacement: false }
    }

    /// Writes everything on one line.
    fn line(&self, head: Line) -> Line {
        let words = if self.words.is_empty() { ": ".to_owned() } else { format!(": {} ", self.words) };
        let mut line = head.put(Ink::Plain, words);
        for (index, (sign, value)) in self.values.iter().enumerate() {
            if self.is_replacement {
                let arrow = if index == 0 { "" } else { " -> " };
                line = line.put(Ink::Plain, arrow).put(sign.ink(), value.to_string());
                continue;
            }
            let comma = if index == 0 { "" } else { ", " };
            let sign_text = if self.has_signs() { sign.column() } else { "" };
            line = line.put(Ink::Plain, comma).put(sign.ink(), format!("{sign_text}{value}"));
        }
        line.put(Ink::Plain, self.tail.as_str())
    }

    /// Whether values need a sign because the words do not show which were added and which removed.
    fn has_signs(&self) -> bool {
        self.words.is_empty() || self.words == "exchanged"
    }
}
