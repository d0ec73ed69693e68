//! The few lines of a source that a diagnostic shows, prepared for drawing, with the marks on them.
//!
//! The drawing crate gets only these lines, so the cost of a message depends on what it shows and not on the size of
//! the file. Lines longer than [`LINE_CHARS_MAX`] are cut around the mark; tabs go to the next multiple of eight, as in
//! TLA+.

use std::ops::Range;

use super::clamp;
use super::clean::{self, ELLIPSIS};
use crate::{Diagnostic, Position, SourceFile, SourceId, SourceMap, Span};

/// Length of the longest line that is shown whole.
const LINE_CHARS_MAX: usize = 160;
/// Length of the part of a cut line before its mark.
const LINE_CHARS_BEFORE: usize = 60;
/// Number of lines beyond which a span is marked on its first line only; the label says how far it goes.
const SPAN_LINES_MAX: usize = 60;
/// Distance beyond which marks of one source are shown apart.
const GAP_LINES_MAX: usize = 40;
const TAB_COLUMNS: usize = 8;

/// Consecutive lines of one source.
pub(super) struct Excerpt {
    pub source: SourceId,
    /// The number, from 1, of the first line in `text`.
    pub first_line: usize,
    pub text: String,
    pub marks: Vec<Mark>,
    /// The place of the excerpt's first mark in the source itself; the columns of the text may differ.
    pub position: Position,
}

/// One label, as a range of bytes in the excerpt's text.
pub(super) struct Mark {
    pub range: Range<usize>,
    pub label: String,
    pub is_primary: bool,
}

/// Returns the excerpts to draw for `diagnostic`, the primary place first.
pub(super) fn excerpts(sources: &SourceMap, diagnostic: &Diagnostic) -> Vec<Excerpt> {
    let mut clusters: Vec<Cluster> = Vec::new();
    for place in places(sources, diagnostic) {
        match clusters.iter_mut().find(|cluster| cluster.is_near(&place)) {
            Some(cluster) => cluster.add(place),
            None => clusters.push(Cluster::new(place)),
        }
    }
    clusters.into_iter().map(|cluster| cluster.draw(sources)).collect()
}

/// A label whose span has been brought inside its source.
struct LabelPlace {
    span: Span,
    lines: Range<usize>,
    label: String,
    is_primary: bool,
}

fn places(sources: &SourceMap, diagnostic: &Diagnostic) -> Vec<LabelPlace> {
    let primary = diagnostic.primary.iter().map(|label| (label, true));
    let secondary = diagnostic.secondary.iter().map(|label| (label, false));
    let place = |(label, is_primary): (&crate::Label, bool)| {
        let file = sources.file(label.span.source);
        let span = trim_line_feed(file, clamp(file, label.span));
        let (first, last) = (file.line_index(span.start), file.line_index(span.end));
        let text = clean::line(&label.text);
        if last - first < SPAN_LINES_MAX {
            return LabelPlace { span, lines: first..last + 1, label: text, is_primary };
        }
        let first_line_end = Span::new(span.source, file.line_range(first)).end;
        let span = Span { end: first_line_end.max(span.start), ..span };
        LabelPlace { span, lines: first..first + 1, label: up_to(&text, last + 1), is_primary }
    };
    primary.chain(secondary).map(place).collect()
}

fn up_to(label: &str, line: usize) -> String {
    let space = if label.is_empty() { "" } else { " " };
    format!("{label}{space}(up to line {line})")
}

/// Moves an end at the start of a line back to the end of the line before, so that a span that includes its line feed
/// stays on one line.
fn trim_line_feed(file: &SourceFile, span: Span) -> Span {
    let Range { start, end } = span.range();
    if start == end || file.line_range(file.line_index(span.end)).start != end {
        return span;
    }
    let trimmed = file.text()[..end].trim_end_matches(['\n', '\r']).len();
    Span::new(span.source, start..trimmed.max(start))
}

/// Places of one source that are shown in one stretch of lines.
struct Cluster {
    source: SourceId,
    lines: Range<usize>,
    places: Vec<LabelPlace>,
}

impl Cluster {
    fn new(place: LabelPlace) -> Self {
        Cluster { source: place.span.source, lines: place.lines.clone(), places: vec![place] }
    }

    fn is_near(&self, place: &LabelPlace) -> bool {
        self.source == place.span.source
            && place.lines.start <= self.lines.end + GAP_LINES_MAX
            && self.lines.start <= place.lines.end + GAP_LINES_MAX
    }

    fn add(&mut self, place: LabelPlace) {
        self.lines.start = self.lines.start.min(place.lines.start);
        self.lines.end = self.lines.end.max(place.lines.end);
        self.places.push(place);
    }

    fn draw(self, sources: &SourceMap) -> Excerpt {
        let file = sources.file(self.source);
        let position = file.position(self.places[0].span.start);
        let mut text = String::new();
        let mut lines = Vec::new();
        for index in self.lines.clone() {
            let line = FittedLine::new(file, index, self.anchor(file, index));
            lines.push((text.len(), line.cells));
            text.push_str(&line.text);
            text.push('\n');
        }
        let locate = |offset: u32| {
            let (start, cells) = &lines[file.line_index(offset) - self.lines.start];
            start + drawn_at(cells, offset as usize)
        };
        let mark = |place: LabelPlace| Mark {
            range: locate(place.span.start)..locate(place.span.end),
            label: place.label,
            is_primary: place.is_primary,
        };
        let marks = self.places.into_iter().map(mark).collect();
        Excerpt { source: self.source, first_line: self.lines.start + 1, text, marks, position }
    }

    /// Returns the byte around which line `index` is cut if it is too long: where the first place on it starts, else
    /// where it ends.
    fn anchor(&self, file: &SourceFile, index: usize) -> usize {
        let starts = self.places.iter().map(|place| place.span.start);
        let ends = self.places.iter().map(|place| place.span.end);
        let on_line = |offset: &u32| file.line_index(*offset) == index;
        starts.chain(ends).find(on_line).map_or(0, |offset| offset as usize)
    }
}

/// One line as it is drawn.
struct FittedLine {
    text: String,
    /// Pairs of a byte in the source and the byte where it is drawn, both ascending. The first is the start of `text`
    /// (including the left ellipsis), the last its end.
    cells: Vec<(usize, usize)>,
}

impl FittedLine {
    fn new(file: &SourceFile, index: usize, anchor: usize) -> Self {
        let whole = file.line_range(index);
        let shown = window(file.text(), whole.clone(), anchor);
        let mut text = String::new();
        let mut cells = Vec::new();
        if whole.start < shown.start {
            cells.push((whole.start, 0));
            text.push(ELLIPSIS);
        }
        for (at, c) in file.text()[shown.clone()].char_indices() {
            cells.push((shown.start + at, text.len()));
            push_drawn(&mut text, c);
        }
        cells.push((shown.end, text.len()));
        if shown.end < whole.end {
            text.push(ELLIPSIS);
            cells.push((shown.end + 1, text.len()));
        }
        // The drawing crate ignores a last line without characters.
        if text.is_empty() {
            text.push(' ');
        }
        FittedLine { text, cells }
    }
}

/// Returns the part of line `whole` that is shown: all of it, or [`LINE_CHARS_MAX`] characters around `anchor`.
fn window(text: &str, whole: Range<usize>, anchor: usize) -> Range<usize> {
    let line = &text[whole.clone()];
    if line.chars().nth(LINE_CHARS_MAX).is_none() {
        return whole;
    }
    let anchor = anchor.clamp(whole.start, whole.end);
    let before = text[whole.start..anchor].char_indices().rev().take(LINE_CHARS_BEFORE).last();
    let start = whole.start + before.map_or(anchor - whole.start, |(at, _)| at);
    let after = text[start..whole.end].char_indices().nth(LINE_CHARS_MAX);
    start..after.map_or(whole.end, |(at, _)| start + at)
}

fn push_drawn(text: &mut String, c: char) {
    if c == '\t' {
        let width = TAB_COLUMNS - text.chars().count() % TAB_COLUMNS;
        text.extend(std::iter::repeat_n(' ', width));
    } else {
        text.push(clean::visible(c));
    }
}

/// Returns the position where byte `offset` of the source is drawn; a byte in a cut part is drawn at its ellipsis.
fn drawn_at(cells: &[(usize, usize)], offset: usize) -> usize {
    let after = cells.partition_point(|&(at, _)| at <= offset);
    cells.get(after.saturating_sub(1)).map_or(0, |&(_, drawn)| drawn)
}
