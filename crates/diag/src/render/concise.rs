//! Draws one line for each diagnostic, `file:line:column: severity[code]: headline`, as editors and `grep` like it.

use super::{clamp, clean};
use crate::{Diagnostic, Position, Severity, SourceId, SourceMap};

/// Draws `diagnostic` in one line, without a line feed.
pub fn concise(sources: &SourceMap, diagnostic: &Diagnostic) -> String {
    let severity = severity(diagnostic.severity);
    let headline = clean::line(&diagnostic.headline);
    let message = format!("{severity}[{}]: {headline}", diagnostic.code);
    match &diagnostic.primary {
        Some(label) => {
            let span = clamp(sources.file(label.span.source), label.span);
            format!("{}: {message}", origin(sources, span.source, sources.position(span)))
        }
        None => message,
    }
}

/// Returns `file:line:column`.
pub(super) fn origin(sources: &SourceMap, source: SourceId, position: Position) -> String {
    let name = clean::line(sources.file(source).name());
    format!("{name}:{}:{}", position.line, position.column)
}

pub(super) fn severity(severity: Severity) -> &'static str {
    match severity {
        Severity::Warning => "warning",
        Severity::Error => "error",
    }
}
