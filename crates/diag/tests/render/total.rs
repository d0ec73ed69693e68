//! Checks that renderers never fail: every span over small texts with every kind of awkward character, and spans
//! outside. A megabyte of one line or of many must not be slow either.

use diag::render::{self, Colour};
use diag::{Code, Diagnostic, SourceId, SourceMap, Span};

const TEXTS: &[&str] =
    &["", "\n", "\r\n", "a", "a\tb\r\nc", "≤\n\n\té\u{200d}\n", "\x1b\0\u{202e}x\n", "\r\r\n\n a"];

#[test]
fn every_span_of_awkward_texts_can_be_drawn() {
    for text in TEXTS {
        let mut sources = SourceMap::new();
        let source = sources.add("A.tla", *text);
        let past_the_end = text.len() + 2;
        for start in 0..=past_the_end {
            for end in start..=past_the_end {
                draw_beside_every_other(&sources, Span::new(source, start..end), past_the_end);
            }
        }
    }
}

fn draw_beside_every_other(sources: &SourceMap, span: Span, past_the_end: usize) {
    for other in 0..=past_the_end {
        let other = Span::new(span.source, other..past_the_end);
        let diagnostic = Diagnostic::new(Code::UnknownName, span, "h").label("here").related(other, "there");
        let text = render::text(sources, &diagnostic, Colour::Plain);
        assert!(!text.chars().any(|c| c.is_control() && c != '\n'), "{text:?}");
        assert!(render::concise(sources, &diagnostic).starts_with("A.tla:"));
        assert!(render::json(sources, &diagnostic).starts_with('{'));
    }
}

#[test]
fn the_size_of_the_file_does_not_show_in_the_message() {
    let n_lines = 500_000;
    let many_lines = "x == y\n".repeat(n_lines);
    let one_line = "x + ".repeat(n_lines);
    let mut sources = SourceMap::new();
    let many_lines = sources.add("Many.tla", many_lines);
    let one_line = sources.add("One.tla", one_line);
    for at in (0..4 * n_lines).step_by(n_lines / 4) {
        for source in [many_lines, one_line] {
            assert_message_is_small(&sources, source, at);
        }
    }
}

fn assert_message_is_small(sources: &SourceMap, source: SourceId, at: usize) {
    let whole = Span::new(source, 0..sources.file(source).text().len());
    let diagnostic =
        Diagnostic::new(Code::UnknownName, Span::new(source, at..at + 1), "h").related(whole, "");
    let text = render::text(sources, &diagnostic, Colour::Plain);
    assert!(text.len() < 2_000, "{text}");
}
