//! Draws a diagnostic for machines: one JSON object. `docs/json-output.md` is its contract.

use serde::Serialize;

use super::clamp;
use super::concise::severity;
use crate::{Diagnostic, Label, Position, SourceFile, SourceMap};

/// Returns `diagnostic` as one line of JSON, without a line feed. Texts are complete: nothing is cut or replaced.
pub fn json(sources: &SourceMap, diagnostic: &Diagnostic) -> String {
    let object = JsonDiagnostic {
        kind: "diagnostic",
        code: diagnostic.code.id(),
        slug: diagnostic.code.slug(),
        severity: severity(diagnostic.severity),
        headline: &diagnostic.headline,
        primary: diagnostic.primary.as_ref().map(|label| JsonLabel::new(sources, label)),
        secondary: diagnostic.secondary.iter().map(|label| JsonLabel::new(sources, label)).collect(),
        notes: &diagnostic.notes,
        help: &diagnostic.help,
    };
    serde_json::to_string(&object).expect("strings and numbers always have a JSON form")
}

#[derive(Serialize)]
struct JsonDiagnostic<'a> {
    kind: &'static str,
    code: &'static str,
    slug: &'static str,
    severity: &'static str,
    headline: &'a str,
    primary: Option<JsonLabel<'a>>,
    secondary: Vec<JsonLabel<'a>>,
    notes: &'a [String],
    help: &'a [String],
}

#[derive(Serialize)]
struct JsonLabel<'a> {
    file: &'a str,
    start: JsonPosition,
    end: JsonPosition,
    label: &'a str,
}

impl<'a> JsonLabel<'a> {
    fn new(sources: &'a SourceMap, label: &'a Label) -> Self {
        let file = sources.file(label.span.source);
        let span = clamp(file, label.span);
        JsonLabel {
            file: file.name(),
            start: JsonPosition::new(file, span.start),
            end: JsonPosition::new(file, span.end),
            label: &label.text,
        }
    }
}

#[derive(Serialize)]
struct JsonPosition {
    line: u32,
    column: u32,
    byte: u32,
}

impl JsonPosition {
    fn new(file: &SourceFile, byte: u32) -> Self {
        let Position { line, column } = file.position(byte);
        JsonPosition { line, column, byte }
    }
}
