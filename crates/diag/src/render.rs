//! Draws diagnostics: for people ([`text`], [`concise`]) and for machines ([`json`]).
//!
//! Renderers return strings. The caller decides where they go, and whether a terminal wants colours.

mod clean;
mod concise;
mod excerpt;
mod json;
mod text;

pub use clean::{line as printable, whole};
pub use concise::concise;
pub use json::json;
pub use text::text;

use crate::{SourceFile, Span};

/// Whether a drawing carries ANSI escapes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Colour {
    Plain,
    Ansi,
}

/// Returns "2 errors, 1 warning". A count of zero is left out, and "no problems" means that there is nothing.
pub fn summary(n_errors: usize, n_warnings: usize) -> String {
    match (n_errors, n_warnings) {
        (0, 0) => "no problems".to_owned(),
        (_, 0) => count(n_errors, "error"),
        (0, _) => count(n_warnings, "warning"),
        (_, _) => format!("{}, {}", count(n_errors, "error"), count(n_warnings, "warning")),
    }
}

/// Returns "1 error", "2 errors".
pub fn count(n: usize, noun: &str) -> String {
    if n == 1 { format!("1 {noun}") } else { format!("{n} {noun}s") }
}

/// Brings `span` inside its file and onto character boundaries: a wrong span must not prevent a message.
fn clamp(file: &SourceFile, span: Span) -> Span {
    let floor = |offset: u32| file.text().floor_char_boundary(offset as usize);
    let start = floor(span.start);
    Span::new(span.source, start..floor(span.end).max(start))
}

#[cfg(test)]
mod tests {
    use super::summary;

    #[test]
    fn summary_names_only_what_there_is() {
        assert_eq!(summary(0, 0), "no problems");
        assert_eq!(summary(1, 0), "1 error");
        assert_eq!(summary(0, 3), "3 warnings");
        assert_eq!(summary(2, 1), "2 errors, 1 warning");
    }
}
