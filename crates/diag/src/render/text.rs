//! Draws a diagnostic for people: the headline, the source lines with their labels, notes and help.

use annotate_snippets::{AnnotationKind, Element, Group, Level, Renderer, Snippet};

use super::clean::{self, PLACEHOLDER};
use super::excerpt::{Excerpt, Mark, excerpts};
use super::{Colour, concise};
use crate::{Diagnostic, Severity, SourceMap, World};

/// A width without effect: lines are cut before they reach the drawing crate, which must not cut them a second time.
const NO_LIMIT_COLUMNS: usize = 100_000;

/// Draws `diagnostic` for people, without a line feed at the end.
pub fn text(sources: &SourceMap, diagnostic: &Diagnostic, colour: Colour) -> String {
    let excerpts = excerpts(sources, diagnostic);
    let headline = clean::line(&diagnostic.headline);
    let title = level(diagnostic.severity).primary_title(headline).id(diagnostic.code.id());
    let snippets = excerpts.iter().enumerate().map(|(index, excerpt)| snippet(index, excerpt));
    let group = Group::with_title(title).elements(snippets).elements(messages(diagnostic));
    let renderer = match colour {
        Colour::Plain => Renderer::plain(),
        Colour::Ansi => Renderer::styled(),
    };
    let drawn = renderer.term_width(NO_LIMIT_COLUMNS).render(&[group]);
    fill_in_origins(&drawn, |index| {
        excerpts.get(index).map(|excerpt| concise::origin(sources, excerpt.source, excerpt.position))
    })
}

fn level(severity: Severity) -> Level<'static> {
    match severity {
        Severity::Warning => Level::WARNING,
        Severity::Error => Level::ERROR,
    }
}

fn snippet(index: usize, excerpt: &Excerpt) -> Element<'_> {
    // The crate would derive the column from the line as drawn, where tabs are expanded and long lines cut. So it gets
    // a placeholder for the name, and `fill_in_origins` writes name, line and column.
    let marks = excerpt.marks.iter().map(annotation);
    let snippet = Snippet::source(excerpt.text.as_str())
        .line_start(excerpt.first_line)
        .path(format!("{PLACEHOLDER}{index}"))
        .annotations(marks);
    snippet.into()
}

fn annotation(mark: &Mark) -> annotate_snippets::Annotation<'_> {
    let kind = if mark.is_primary { AnnotationKind::Primary } else { AnnotationKind::Context };
    let label = (!mark.label.is_empty()).then_some(mark.label.as_str());
    kind.span(mark.range.clone()).label(label)
}

fn messages(diagnostic: &Diagnostic) -> Vec<Element<'static>> {
    let notes = diagnostic.notes.iter().map(|note| Level::NOTE.message(clean::paragraph(note)));
    let help = diagnostic.help.iter().map(|help| Level::HELP.message(clean::paragraph(help)));
    let footer = footer(diagnostic.code.world()).map(|footer| Level::NOTE.message(footer));
    notes.chain(help).chain(footer).map(Element::from).collect()
}

/// Names the side at fault if the code and the place do not already say it.
fn footer(world: World) -> Option<&'static str> {
    match world {
        World::Spec | World::Config | World::System => None,
        World::Machine => Some("the fault is in a file or the machine, not in the specification"),
        World::Ours => Some("this is a bug in specline, not in your files"),
    }
}

/// Replaces each `PLACEHOLDER` with its number, line and column by the result of `origin` for the number, and drops
/// spaces at line ends.
fn fill_in_origins(drawn: &str, origin: impl Fn(usize) -> Option<String>) -> String {
    let mut filled = String::with_capacity(drawn.len());
    for line in drawn.lines() {
        if !filled.is_empty() {
            filled.push('\n');
        }
        let Some((before, rest)) = line.split_once(PLACEHOLDER) else {
            filled.push_str(line.trim_end());
            continue;
        };
        let after = rest.trim_start_matches(|c: char| c.is_ascii_digit() || c == ':');
        let numbers = &rest[..rest.len() - after.len()];
        let index = numbers.split(':').next().and_then(|index| index.parse().ok());
        filled.push_str(before);
        filled.push_str(&index.and_then(&origin).unwrap_or_default());
        filled.push_str(after.trim_end());
    }
    filled
}
