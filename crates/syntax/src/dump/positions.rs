//! Lines and columns of many places in one text, each found in bounded time however long its lines are.

use std::fmt::Write;

use diag::{Position, SourceFile, Span};

/// Distance between the places where characters have been counted.
const STRIDE_BYTES: usize = 256;

#[derive(Debug)]
pub struct Positions<'a> {
    file: &'a SourceFile,
    /// The number of characters before each multiple of the stride.
    n_chars: Vec<u32>,
}

impl<'a> Positions<'a> {
    pub fn new(file: &'a SourceFile) -> Self {
        let mut n_chars = vec![0];
        let mut total = 0;
        for block in file.text().as_bytes().chunks(STRIDE_BYTES) {
            total += count_chars(block);
            n_chars.push(total);
        }
        Positions { file, n_chars }
    }

    pub fn at(&self, offset: u32) -> Position {
        let line = self.file.line_index(offset);
        let line_start = self.file.line_range(line).start;
        let column = self.chars_before(offset as usize) - self.chars_before(line_start) + 1;
        Position { line: line as u32 + 1, column }
    }

    /// Writes `"start":[line,column],"end":[line,column]`.
    pub fn write(&self, span: Span, out: &mut String) {
        let (start, end) = (self.at(span.start), self.at(span.end));
        write!(out, "\"start\":[{},{}],\"end\":[{},{}]", start.line, start.column, end.line, end.column)
            .expect("a String takes what is written");
    }

    fn chars_before(&self, offset: usize) -> u32 {
        let block = offset / STRIDE_BYTES;
        self.n_chars[block] + count_chars(&self.file.text().as_bytes()[block * STRIDE_BYTES..offset])
    }
}

/// Returns the number of characters that start in `bytes`.
fn count_chars(bytes: &[u8]) -> u32 {
    bytes.iter().filter(|&&byte| byte & 0xC0 != 0x80).count() as u32
}
