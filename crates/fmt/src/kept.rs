//! Lines that stay as they are: translations of PlusCal, and what was not asked for.

use std::ops::RangeInclusive;

use diag::Span;

/// For each line, whether it stays as it is.
#[derive(Clone)]
pub struct KeptLines {
    lines: Vec<bool>,
    /// Whether all empty lines stay: ranges are lines, so that no line may move.
    pub keeps_empty_lines: bool,
}

impl KeptLines {
    /// The lines of a text that are kept: those between the marks of a translation, and with `ranges` those of units
    /// outside of them.
    pub fn new(text: &str, ranges: &[RangeInclusive<usize>], units: &[Span]) -> KeptLines {
        let mut lines = vec![false; text.split('\n').count()];
        if !ranges.is_empty() {
            lines.fill(true);
            for &unit in units {
                let unit = lines_of(text, unit);
                let is_asked =
                    ranges.iter().any(|range| range.start() <= unit.end() && unit.start() <= range.end());
                if is_asked {
                    lines[unit.start() - 1..*unit.end()].fill(false);
                }
            }
        }
        let mut is_inside = false;
        for (index, line) in text.split('\n').enumerate() {
            let is_mark = |word: &str| {
                let found = line.split_once(word);
                found.is_some_and(|(_, rest)| rest.trim_start_matches(' ').starts_with("TRANSLATION"))
            };
            is_inside |= !is_inside && is_mark("BEGIN");
            lines[index] |= is_inside;
            is_inside &= !is_mark("END");
        }
        KeptLines { lines, keeps_empty_lines: !ranges.is_empty() }
    }

    pub fn has(&self, line: usize) -> bool {
        self.lines.get(line).copied().unwrap_or(false)
    }

    /// Keeps everything but one unit.
    pub fn only(&self, text: &str, unit: Span) -> KeptLines {
        let mut lines = vec![true; self.lines.len()];
        let unit = lines_of(text, unit);
        lines[unit.start() - 1..*unit.end()].copy_from_slice(&self.lines[unit.start() - 1..*unit.end()]);
        KeptLines { lines, ..*self }
    }

    /// Keeps a unit; returns its lines, counted from 1.
    pub fn keep(&mut self, text: &str, unit: Span) -> RangeInclusive<usize> {
        let unit = lines_of(text, unit);
        self.lines[unit.start() - 1..*unit.end()].fill(true);
        unit
    }
}

/// The lines of a span, counted from 1.
fn lines_of(text: &str, span: Span) -> RangeInclusive<usize> {
    let line = |at: usize| text[..at.min(text.len())].matches('\n').count() + 1;
    line(span.range().start)..=line(span.range().end)
}
