//! Source texts, and places in them.

use std::ops::Range;
use std::sync::Arc;

use base::{Id, IdVec};

base::define_id! {
    /// The id of one text: a file, an embedded module, an expression on the command line.
    SourceId
}

/// A range of bytes in one source.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct Span {
    pub source: SourceId,
    pub start: u32,
    pub end: u32,
}

impl Span {
    pub fn new(source: SourceId, range: Range<usize>) -> Span {
        let clamp = |offset: usize| u32::try_from(offset).expect("SourceMap::add bounds texts to 4 GiB");
        Span { source, start: clamp(range.start), end: clamp(range.end) }
    }

    /// Returns the span from the start of `self` to the end of `other`, both in one source.
    pub fn to(self, other: Span) -> Span {
        debug_assert_eq!(self.source, other.source, "a span lies in one source");
        Span { source: self.source, start: self.start.min(other.start), end: self.end.max(other.end) }
    }

    /// Returns the empty span where `self` starts.
    pub fn start_point(self) -> Span {
        Span { end: self.start, ..self }
    }

    /// Returns the empty span where `self` ends.
    pub fn end_point(self) -> Span {
        Span { start: self.end, ..self }
    }

    pub fn range(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }
}

/// A line and a column, both counted from 1; columns count characters.
#[derive(Clone, Copy, PartialEq, Eq, Debug, PartialOrd, Ord)]
pub struct Position {
    pub line: u32,
    pub column: u32,
}

/// One text with its name and the starts of its lines.
#[derive(Clone, Debug)]
pub struct SourceFile {
    /// Its name in messages: a path as the user gave it, or `<embedded>/Naturals.tla`.
    name: String,
    /// Whether there is such a file. Other texts come from the program itself or from the command line.
    is_file: bool,
    text: Arc<str>,
    /// Byte offset of each line's first character; the first is 0. Ascending.
    line_starts: Vec<u32>,
}

impl SourceFile {
    pub fn name(&self) -> &str {
        &self.name
    }

    pub fn is_file(&self) -> bool {
        self.is_file
    }

    pub fn text(&self) -> &Arc<str> {
        &self.text
    }

    /// Returns the number of lines. A text that ends in a line feed has an empty last line.
    pub fn n_lines(&self) -> usize {
        self.line_starts.len()
    }

    /// Returns the index (from 0) of the line that holds byte `offset`.
    pub fn line_index(&self, offset: u32) -> usize {
        self.line_starts.partition_point(|&start| start <= offset) - 1
    }

    /// Returns the bytes of line `index` (from 0), without its end-of-line characters.
    pub fn line_range(&self, index: usize) -> Range<usize> {
        let start = self.line_starts[index] as usize;
        let end = self.line_starts.get(index + 1).map_or(self.text.len(), |&next| next as usize);
        let line = &self.text[start..end];
        start..start + line.trim_end_matches(['\n', '\r']).len()
    }

    pub fn position(&self, offset: u32) -> Position {
        let line_index = self.line_index(offset);
        let before = &self.text[self.line_starts[line_index] as usize..offset as usize];
        let number = |count: usize| u32::try_from(count).expect("counts fit where offsets do");
        Position { line: number(line_index) + 1, column: number(before.chars().count()) + 1 }
    }
}

/// Every text of a run.
#[derive(Clone, Debug, Default)]
pub struct SourceMap {
    files: IdVec<SourceId, SourceFile>,
}

impl SourceMap {
    /// Size of the largest text that is accepted: offsets are 32-bit.
    pub const MAX_BYTES: usize = u32::MAX as usize;

    pub fn new() -> Self {
        Self::default()
    }

    /// Adds the text of a file. The caller has checked that it is no longer than [`SourceMap::MAX_BYTES`].
    pub fn add(&mut self, name: impl Into<String>, text: impl Into<Arc<str>>) -> SourceId {
        self.add_as(true, name, text)
    }

    /// Adds a text that is in no file. The caller has checked that it is no longer than [`SourceMap::MAX_BYTES`].
    pub fn add_text(&mut self, name: impl Into<String>, text: impl Into<Arc<str>>) -> SourceId {
        self.add_as(false, name, text)
    }

    fn add_as(&mut self, is_file: bool, name: impl Into<String>, text: impl Into<Arc<str>>) -> SourceId {
        let text = text.into();
        assert!(text.len() <= Self::MAX_BYTES, "texts are bounded before they reach the source map");
        let next_lines = text.bytes().enumerate().filter(|&(_, byte)| byte == b'\n').map(|(at, _)| at + 1);
        let line_starts = std::iter::once(0).chain(next_lines).map(|at| at as u32).collect();
        self.files.push(SourceFile { name: name.into(), is_file, text, line_starts })
    }

    pub fn file(&self, source: SourceId) -> &SourceFile {
        &self.files[source]
    }

    pub fn ids(&self) -> impl Iterator<Item = SourceId> + use<> {
        (0..self.files.len()).map(SourceId::from_index)
    }

    /// Returns the characters that `span` covers.
    pub fn text(&self, span: Span) -> &str {
        &self.files[span.source].text[span.range()]
    }

    /// Returns the position where `span` starts.
    pub fn position(&self, span: Span) -> Position {
        self.files[span.source].position(span.start)
    }
}
