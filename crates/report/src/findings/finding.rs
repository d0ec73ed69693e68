//! A finding, and where it is.

use diag::{Diagnostic, Label, SourceMap, Span};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    Error,
    Warning,
}

/// An error or a warning, as a report shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The kind: a code such as `SL0301`.
    pub rule: String,
    /// The kind in words.
    pub name: String,
    pub level: Level,
    pub message: String,
    /// Place of the finding; `None` if it is about no text.
    pub place: Option<FindingPlace>,
    /// Related places, each with a message.
    pub related: Vec<(FindingPlace, String)>,
}

/// A part of a file: up to its end, and not with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FindingPlace {
    pub file: String,
    pub start: Point,
    pub end: Point,
}

/// Line and column, counted from 1. A column is a character.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Point {
    pub line: u32,
    pub column: u32,
}

impl Finding {
    pub fn of(sources: &SourceMap, diagnostic: &Diagnostic) -> Finding {
        let place = |label: &Label| FindingPlace::of(sources, label.span);
        let related = |label: &Label| Some((place(label)?, label.text.clone()));
        let texts = [diagnostic.notes.as_slice(), diagnostic.help.as_slice()].concat();
        let label =
            diagnostic.primary.as_ref().map(|label| label.text.clone()).filter(|text| !text.is_empty());
        let lines = [diagnostic.headline.clone()].into_iter().chain(label).chain(texts);
        Finding {
            rule: diagnostic.code.id().to_owned(),
            name: diagnostic.code.slug().to_owned(),
            level: if diagnostic.is_error() { Level::Error } else { Level::Warning },
            message: lines.collect::<Vec<_>>().join("\n"),
            place: diagnostic.primary.as_ref().and_then(place),
            related: diagnostic.secondary.iter().filter_map(related).collect(),
        }
    }
}

impl FindingPlace {
    /// Returns the place of a span; `None` for a text that is in no file.
    pub fn of(sources: &SourceMap, span: Span) -> Option<FindingPlace> {
        let file = sources.file(span.source);
        let point = |offset: u32| {
            let position = file.position(offset.min(file.text().len() as u32));
            Point { line: position.line, column: position.column }
        };
        file.is_file().then(|| FindingPlace {
            file: file.name().to_owned(),
            start: point(span.start),
            end: point(span.end),
        })
    }
}
