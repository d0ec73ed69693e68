//! Positions: bytes of a text, and the lines and characters by which an editor counts.

use std::ops::Range;

use lsp_types::{Position, PositionEncodingKind};

/// The unit in which an editor counts within a line.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Encoding {
    Utf8,
    /// The one that every editor knows, and that the protocol takes for granted.
    #[default]
    Utf16,
    Utf32,
}

impl Encoding {
    /// Chooses the encoding from those that the client offers: bytes, if it knows them, since that is how places are kept.
    pub fn choose(offered: Option<&[PositionEncodingKind]>) -> Encoding {
        let has = |kind: &PositionEncodingKind| offered.unwrap_or_default().contains(kind);
        if has(&PositionEncodingKind::UTF8) {
            Encoding::Utf8
        } else if has(&PositionEncodingKind::UTF32) && !has(&PositionEncodingKind::UTF16) {
            Encoding::Utf32
        } else {
            Encoding::Utf16
        }
    }

    pub fn kind(self) -> PositionEncodingKind {
        match self {
            Encoding::Utf8 => PositionEncodingKind::UTF8,
            Encoding::Utf16 => PositionEncodingKind::UTF16,
            Encoding::Utf32 => PositionEncodingKind::UTF32,
        }
    }

    /// The length of a text in this unit.
    pub fn len(self, text: &str) -> u32 {
        let count = match self {
            Encoding::Utf8 => text.len(),
            Encoding::Utf16 => text.chars().map(char::len_utf16).sum(),
            Encoding::Utf32 => text.chars().count(),
        };
        u32::try_from(count).unwrap_or(u32::MAX)
    }

    fn char_len(self, char: char) -> usize {
        match self {
            Encoding::Utf8 => char.len_utf8(),
            Encoding::Utf16 => char.len_utf16(),
            Encoding::Utf32 => 1,
        }
    }
}

/// Where the lines of a text start. A line ends with LF, CR LF, or CR.
#[derive(Clone, Debug)]
pub struct Lines {
    starts: Vec<usize>,
    encoding: Encoding,
}

impl Lines {
    pub fn new(text: &str, encoding: Encoding) -> Lines {
        let bytes = text.as_bytes();
        let mut starts = vec![0];
        for (at, &byte) in bytes.iter().enumerate() {
            let ends = byte == b'\n' || byte == b'\r' && bytes.get(at + 1) != Some(&b'\n');
            if ends {
                starts.push(at + 1);
            }
        }
        Lines { starts, encoding }
    }

    /// The bytes of line `index`, without the characters that end it.
    pub fn line_range(&self, text: &str, index: usize) -> Range<usize> {
        let Some(&start) = self.starts.get(index) else { return text.len()..text.len() };
        let end = self.starts.get(index + 1).copied().unwrap_or(text.len());
        let content = text.get(start..end).unwrap_or_default().trim_end_matches(['\n', '\r']);
        start..start + content.len()
    }

    /// The index of the line that holds byte `offset`.
    pub fn line_of(&self, offset: usize) -> usize {
        self.starts.partition_point(|&start| start <= offset) - 1
    }

    /// The byte at a position. A position behind the end of its line is that end, and one inside of a character its start.
    pub fn offset(&self, text: &str, position: Position) -> usize {
        let range = self.line_range(text, position.line as usize);
        let mut rest = position.character as usize;
        for (at, char) in text[range.clone()].char_indices() {
            let n_units = self.encoding.char_len(char);
            if rest < n_units {
                return range.start + at;
            }
            rest -= n_units;
        }
        range.end
    }

    /// The position of byte `offset`, or of the character around it.
    pub fn position(&self, text: &str, offset: usize) -> Position {
        let mut offset = offset.min(text.len());
        while !text.is_char_boundary(offset) {
            offset -= 1;
        }
        let line = self.line_of(offset);
        let before = &text[self.starts[line]..offset];
        Position { line: u32::try_from(line).unwrap_or(u32::MAX), character: self.encoding.len(before) }
    }

    pub fn range(&self, text: &str, range: Range<usize>) -> lsp_types::Range {
        lsp_types::Range {
            start: self.position(text, range.start),
            end: self.position(text, range.end.max(range.start)),
        }
    }

    pub fn bytes(&self, text: &str, range: lsp_types::Range) -> Range<usize> {
        let start = self.offset(text, range.start);
        start..self.offset(text, range.end).max(start)
    }
}

#[cfg(test)]
mod tests {
    use lsp_types::{Position, PositionEncodingKind};

    use super::{Encoding, Lines};

    #[test]
    fn positions_lead_back_to_their_bytes_in_each_encoding() {
        let text = "a ≜ 1\r\n\t𝔹 ∪ é\n\nlast\rone";
        for encoding in [Encoding::Utf8, Encoding::Utf16, Encoding::Utf32] {
            let lines = Lines::new(text, encoding);
            assert_eq!(lines.starts.len(), 5);
            for (at, char) in text.char_indices().filter(|&(_, char)| char != '\n' && char != '\r') {
                let position = lines.position(text, at);
                assert_eq!(lines.offset(text, position), at, "{char:?} in {encoding:?}");
            }
        }
    }

    #[test]
    fn surrogate_pairs_count_as_two_in_utf16() {
        let text = "𝔹x";
        let lines = Lines::new(text, Encoding::Utf16);
        assert_eq!(lines.position(text, 4), Position::new(0, 2));
        assert_eq!(lines.offset(text, Position::new(0, 1)), 0, "inside of the pair");
        assert_eq!(lines.offset(text, Position::new(0, 2)), 4);
    }

    #[test]
    fn positions_outside_of_the_text_are_its_ends() {
        let text = "one\ntwo";
        let lines = Lines::new(text, Encoding::Utf16);
        assert_eq!(lines.offset(text, Position::new(0, 99)), 3);
        assert_eq!(lines.offset(text, Position::new(99, 0)), 7);
        assert_eq!(lines.position(text, 99), Position::new(1, 3));
    }

    #[test]
    fn bytes_are_chosen_where_the_client_knows_them() {
        let (utf8, utf16) = (PositionEncodingKind::UTF8, PositionEncodingKind::UTF16);
        assert_eq!(Encoding::choose(Some(&[utf16.clone(), utf8])), Encoding::Utf8);
        assert_eq!(Encoding::choose(Some(&[utf16])), Encoding::Utf16);
        assert_eq!(Encoding::choose(None), Encoding::Utf16);
    }
}
