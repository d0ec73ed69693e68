//! Diagnostics as plain text for expectations: everything in them, in a form that stays the same when renderers change.

use std::fmt::Write as _;

use diag::{Diagnostic, Diagnostics, Severity, SourceMap, Span};

/// Formats every diagnostic with its places, notes and help. A place is shown with its file if that is not the first
/// source.
pub fn plain(diagnostics: &Diagnostics, sources: &SourceMap) -> String {
    diagnostics.iter().map(|diagnostic| one(diagnostic, sources)).collect()
}

fn one(diagnostic: &Diagnostic, sources: &SourceMap) -> String {
    let severity = match diagnostic.severity {
        Severity::Warning => "warning",
        Severity::Error => "error",
    };
    let mut out = format!("{} {severity}", diagnostic.code);
    if let Some(primary) = &diagnostic.primary {
        write!(out, " {}", place(sources, primary.span)).unwrap();
    }
    writeln!(out, " {}", diagnostic.headline).unwrap();
    if let Some(primary) = diagnostic.primary.as_ref().filter(|primary| !primary.text.is_empty()) {
        writeln!(out, "  here: {}", primary.text).unwrap();
    }
    for label in &diagnostic.secondary {
        writeln!(out, "  {}: {}", place(sources, label.span), label.text).unwrap();
    }
    for note in &diagnostic.notes {
        writeln!(out, "  note: {note}").unwrap();
    }
    for help in &diagnostic.help {
        writeln!(out, "  help: {help}").unwrap();
    }
    out
}

/// Formats a place as `3:5-3:9`, with the file before it if that is not the first source. Embedded modules are named
/// without lines, because the lines change with them.
pub fn place(sources: &SourceMap, span: Span) -> String {
    let file = sources.file(span.source);
    if file.name().starts_with('<') {
        return file.name().to_owned();
    }
    let (start, end) = (file.position(span.start), file.position(span.end));
    let range = format!("{}:{}-{}:{}", start.line, start.column, end.line, end.column);
    if sources.ids().next() == Some(span.source) {
        range
    } else {
        let name = file.name().rsplit('/').next().unwrap_or_default();
        format!("{name} {range}")
    }
}
