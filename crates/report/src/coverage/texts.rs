//! The texts that places are about.

use std::collections::BTreeMap;

use crate::coverage::report::{Point, Source, TextPlace};

/// Texts of expressions are cut after this many characters.
const TEXT_CHARS_MAX: usize = 60;

/// Finds what stands at a place. A place that is in no text has an empty one.
#[derive(Debug)]
pub struct Texts<'a> {
    lines: BTreeMap<&'a str, Vec<&'a str>>,
}

impl<'a> Texts<'a> {
    pub fn new(sources: &'a [Source]) -> Texts<'a> {
        let lines = |source: &'a Source| (source.file.as_str(), source.text.split('\n').collect());
        Texts { lines: sources.iter().map(lines).collect() }
    }

    /// Returns the text at a place, in one line, and cut if it is long.
    pub fn short(&self, place: &TextPlace) -> String {
        shorten(&self.text(place))
    }

    fn text(&self, place: &TextPlace) -> String {
        let Some(lines) = self.lines.get(place.file.as_str()) else { return String::new() };
        let Point { line: first, column: start } = place.start;
        let Point { line: last, column: end } = place.end;
        let numbered = (first.max(1)..=last.min(lines.len() as u32))
            .filter_map(|line| Some((line, *lines.get(line as usize - 1)?)));
        let parts = numbered.map(|(line, text)| {
            let from = if line == first { start } else { 1 };
            let to = if line == last { end } else { u32::MAX };
            let n_chars = to.saturating_sub(from) as usize;
            text.chars().skip(from.saturating_sub(1) as usize).take(n_chars).collect::<String>()
        });
        parts.collect::<Vec<String>>().join(" ")
    }
}

/// A text in one line, and cut if it is long.
pub fn shorten(text: &str) -> String {
    let text = text.split_whitespace().collect::<Vec<&str>>().join(" ");
    match text.char_indices().nth(TEXT_CHARS_MAX) {
        Some((at, _)) => format!("{}...", &text[..at]),
        None => text,
    }
}
