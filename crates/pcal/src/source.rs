//! The text of a module as the translator sees it: lines with tabs expanded, in which comments can be blanked out.
//!
//! Each character knows the bytes of the file that it stands for, so that every place can be shown to the user.

use std::ops::Range;

use diag::Code;

use crate::problem::Problem;

/// A place in the text: line and column, counted from 0, tabs expanded.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub struct Spot {
    pub line: usize,
    pub column: usize,
}

impl Spot {
    /// The place as the translation names it: counted from 1.
    pub fn words(self) -> String {
        format!("line {}, column {}", self.line + 1, self.column + 1)
    }
}

#[derive(Clone, Copy, Debug)]
struct Char {
    char: char,
    /// The byte of the text where it begins.
    offset: usize,
}

/// A line: its characters, and where it ends in the text.
#[derive(Clone, Debug)]
struct Line {
    chars: Vec<Char>,
    end: usize,
}

/// The lines of a text, without the characters that end them.
#[derive(Clone, Debug)]
pub struct Text {
    lines: Vec<Line>,
}

impl Text {
    pub fn new(text: &str) -> Text {
        let mut lines = Vec::new();
        let mut start = 0;
        for line in text.split_inclusive('\n') {
            let content = line.trim_end_matches('\n');
            let content = content.strip_suffix('\r').unwrap_or(content);
            lines.push(Line { chars: expand_tabs(content, start), end: start + content.len() });
            start += line.len();
        }
        Text { lines }
    }

    pub fn n_lines(&self) -> usize {
        self.lines.len()
    }

    pub fn line_len(&self, line: usize) -> usize {
        self.lines.get(line).map_or(0, |line| line.chars.len())
    }

    /// The character at `at`, if the line reaches so far.
    pub fn char_at(&self, at: Spot) -> Option<char> {
        self.lines.get(at.line)?.chars.get(at.column).map(|char| char.char)
    }

    /// Line `line` as a text.
    pub fn line_text(&self, line: usize) -> String {
        self.lines[line].chars.iter().map(|char| char.char).collect()
    }

    /// Whether `word` stands at `at`.
    pub fn starts_with(&self, at: Spot, word: &str) -> bool {
        let rest = self.lines.get(at.line).and_then(|line| line.chars.get(at.column..)).unwrap_or_default();
        let mut chars = rest.iter().map(|char| char.char);
        word.chars().all(|expected| chars.next() == Some(expected))
    }

    /// The bytes of `width` characters from `at` on, no further than the line.
    pub fn range(&self, at: Spot, width: usize) -> Range<usize> {
        let Some(line) = self.lines.get(at.line) else {
            let end = self.lines.last().map_or(0, |line| line.end);
            return end..end;
        };
        let offset = |column: usize| line.chars.get(column).map_or(line.end, |char| char.offset);
        offset(at.column)..offset(at.column + width)
    }

    /// The first place at or behind `from` where `word` stands.
    pub fn find(&self, from: Spot, word: &str) -> Option<Spot> {
        (from.line..self.n_lines()).find_map(|line| {
            let first = if line == from.line { from.column } else { 0 };
            let mut columns = first..self.line_len(line);
            columns
                .find(|&column| self.starts_with(Spot { line, column }, word))
                .map(|column| Spot { line, column })
        })
    }

    /// The first place at or behind `at` that is no space.
    pub fn skip_spaces(&self, mut at: Spot) -> Spot {
        while at.line < self.n_lines() {
            match self.char_at(at) {
                Some(char) if !is_space(char) => return at,
                Some(_) => at.column += 1,
                None => at = Spot { line: at.line + 1, column: 0 },
            }
        }
        at
    }

    /// Replaces comments behind `from` by spaces, up to the end of the comment in which the algorithm stands. What is behind
    /// that is cut off. An algorithm that is in no comment goes on to the end of the text.
    pub fn blank_comments(&mut self, from: Spot) -> Result<Blanked, Problem> {
        let mut blanks = Blanks { depth: 0, string: None, opened: from };
        let mut at = from;
        while at.line < self.n_lines() {
            if at.column >= self.line_len(at.line) {
                if let Some(begin) = blanks.string.take() {
                    let headline = "the string is not closed";
                    return Err(Problem::new(Code::PcalSyntax, begin, headline).help("add the closing `\"`"));
                }
                at = Spot { line: at.line + 1, column: 0 };
                continue;
            }
            if blanks.depth == 0 && blanks.string.is_none() && self.starts_with(at, "*)") {
                self.cut(at);
                return Ok(Blanked { unclosed: None });
            }
            at.column += self.blank_at(at, &mut blanks);
        }
        Ok(Blanked { unclosed: (blanks.depth > 0).then_some(blanks.opened) })
    }

    /// Looks at the character at `at`, blanks it if it belongs to a comment, and gives the number of characters seen.
    fn blank_at(&mut self, at: Spot, blanks: &mut Blanks) -> usize {
        if blanks.string.is_none() && self.starts_with(at, "(*") {
            blanks.depth += 1;
            if blanks.depth == 1 {
                blanks.opened = at;
            }
            return self.blank(at, 2);
        }
        if blanks.depth > 0 {
            let closes = self.starts_with(at, "*)");
            blanks.depth -= usize::from(closes);
            return self.blank(at, 1 + usize::from(closes));
        }
        let char = self.char_at(at).expect("the place is in the line");
        match (char, blanks.string) {
            ('"', None) => blanks.string = Some(at),
            ('"', Some(_)) => blanks.string = None,
            ('\\', Some(_)) => return 2,
            ('\\', None) if self.starts_with(at, "\\*") => {
                let n_left = self.line_len(at.line) - at.column;
                return self.blank(at, n_left);
            }
            _ => {}
        }
        1
    }

    fn blank(&mut self, at: Spot, width: usize) -> usize {
        for char in self.lines[at.line].chars.iter_mut().skip(at.column).take(width) {
            char.char = ' ';
        }
        width
    }

    /// Cuts off everything from `at` on. Lines stay, empty, so that places keep their meaning.
    fn cut(&mut self, at: Spot) {
        self.lines[at.line].chars.truncate(at.column);
        self.lines.truncate(at.line + 1);
    }
}

/// Findings where comments were blanked out.
#[derive(Clone, Copy, Debug)]
pub struct Blanked {
    /// A comment that is never closed.
    pub unclosed: Option<Spot>,
}

/// Where a reader of comments is.
struct Blanks {
    /// How many comments are open.
    depth: usize,
    /// Where the open string began.
    string: Option<Spot>,
    /// Where the outermost open comment began.
    opened: Spot,
}

fn expand_tabs(line: &str, start: usize) -> Vec<Char> {
    let mut chars = Vec::with_capacity(line.len());
    for (offset, char) in line.char_indices() {
        let offset = start + offset;
        match char {
            '\t' => {
                let n_spaces = 8 - chars.len() % 8;
                chars.extend(std::iter::repeat_n(Char { char: ' ', offset }, n_spaces));
            }
            char => chars.push(Char { char, offset }),
        }
    }
    chars
}

fn is_space(char: char) -> bool {
    matches!(char, ' ' | '\u{c}' | '\r')
}

#[cfg(test)]
mod tests {
    use super::{Spot, Text};

    #[test]
    fn comments_and_tabs_become_spaces() {
        let mut text = Text::new("a\tb (* c (* d *) *) e \\* f\n\"\\* \" g *) h\nrest");
        text.blank_comments(Spot::default()).expect("it is closed");
        assert_eq!(text.line_text(0).trim_end(), "a       b                 e");
        assert_eq!(text.line_text(1), "\"\\* \" g ");
        assert_eq!(text.n_lines(), 2);
    }

    #[test]
    fn a_place_leads_back_to_the_bytes_of_the_file() {
        let text = Text::new("x\r\n\t\u{e9}y\r\n");
        assert_eq!(text.range(Spot { line: 1, column: 9 }, 1), 6..7);
        assert_eq!(text.range(Spot { line: 1, column: 99 }, 1), 7..7);
    }
}
