//! Tokens and comments in the order of the text.

use std::ops::Range;

use diag::SourceId;
use syntax::token::{Flags, Token, TokenKind};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PieceKind {
    Token(TokenKind),
    /// `\* ...`, up to the end of its line
    LineComment,
    /// `(* ... *)`
    BlockComment,
}

/// A token or a comment of a module.
#[derive(Clone, Debug)]
pub struct Piece {
    pub kind: PieceKind,
    pub range: Range<usize>,
    /// The line on which it begins, from 0.
    pub line: usize,
    /// The line on which it ends.
    pub end_line: usize,
    /// The column at which it begins, from 0; a tab goes to the next multiple of eight.
    pub column: usize,
    /// Whether nothing is before it on its line.
    pub is_first: bool,
    /// Number of columns between it and what is before it on the line.
    pub gap: usize,
    /// Whether it may head an item of a junction list.
    pub is_bullet: bool,
}

impl Piece {
    pub fn token(&self) -> Option<TokenKind> {
        match self.kind {
            PieceKind::Token(kind) => Some(kind),
            PieceKind::LineComment | PieceKind::BlockComment => None,
        }
    }

    pub fn is_comment(&self) -> bool {
        self.token().is_none()
    }
}

/// All pieces of the modules of a text.
pub struct Pieces {
    pub list: Vec<Piece>,
    /// The first byte of each line.
    pub line_starts: Vec<usize>,
}

/// Columns to which a tab leads.
const TAB_COLUMNS: usize = 8;

impl Pieces {
    pub fn new(source: SourceId, text: &str) -> Pieces {
        let line_starts = std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect();
        let mut pieces = Pieces { list: Vec::new(), line_starts };
        let (mut at, mut n_open) = (0, 0_usize);
        for token in syntax::tokens_of_file(source, text) {
            // Around modules everything is prose.
            if n_open > 0 {
                pieces.comments(text, at..token.start as usize);
            }
            n_open += usize::from(token.kind == TokenKind::ModuleStart);
            n_open = n_open.saturating_sub(usize::from(token.kind == TokenKind::ModuleEnd));
            at = token.end as usize;
            pieces.push(text, PieceKind::Token(token.kind), &token);
        }
        pieces
    }

    fn push(&mut self, text: &str, kind: PieceKind, token: &Token) {
        self.add(text, kind, token.start as usize..token.end as usize);
        if let Some(last) = self.list.last_mut() {
            last.is_bullet = token.flags.contains(Flags::BULLET);
        }
    }

    /// Adds the comments between two tokens.
    fn comments(&mut self, text: &str, between: Range<usize>) {
        let mut at = between.start;
        while at < between.end {
            let rest = &text[at..between.end];
            let (kind, length) = if rest.starts_with("\\*") {
                (PieceKind::LineComment, rest.find('\n').unwrap_or(rest.len()))
            } else if rest.starts_with("(*") {
                (PieceKind::BlockComment, block_comment(rest))
            } else {
                at += rest.chars().next().map_or(1, char::len_utf8);
                continue;
            };
            let length =
                if kind == PieceKind::LineComment { rest[..length].trim_end().len() } else { length };
            self.add(text, kind, at..at + length);
            at += length;
        }
    }

    fn add(&mut self, text: &str, kind: PieceKind, range: Range<usize>) {
        let line = self.line_of(range.start);
        let start = self.line_starts[line];
        let column = width(&text[start..range.start]);
        let before = self.list.last().filter(|before| before.end_line == line);
        let is_first = text[start..range.start].trim().is_empty();
        let end = before.map_or(start, |before| before.range.end.max(start));
        let gap = column - width(&text[start..end]);
        let end_line = self.line_of(range.end.max(1) - 1).max(line);
        self.list.push(Piece { kind, range, line, end_line, column, is_first, gap, is_bullet: false });
    }

    /// The line of a byte.
    pub fn line_of(&self, at: usize) -> usize {
        self.line_starts.partition_point(|&start| start <= at).saturating_sub(1)
    }

    /// The index of the token that begins at a byte, or of the first behind it.
    pub fn index_at(&self, at: usize) -> usize {
        self.list.partition_point(|piece| piece.range.start < at)
    }

    /// The next token behind a piece.
    pub fn next_token(&self, index: usize) -> Option<usize> {
        (index + 1..self.list.len()).find(|&next| !self.list[next].is_comment())
    }

    /// The token before a piece.
    pub fn previous_token(&self, index: usize) -> Option<usize> {
        (0..index).rev().find(|&before| !self.list[before].is_comment())
    }
}

/// The number of columns of a piece of a line that begins at the first column.
pub fn width(text: &str) -> usize {
    text.chars().fold(0, |column, c| match c {
        '\t' => (column / TAB_COLUMNS + 1) * TAB_COLUMNS,
        _ => column + 1,
    })
}

/// The length of the comment at the start of a text.
fn block_comment(text: &str) -> usize {
    let (mut at, mut n_open) = (0, 0_usize);
    let bytes = text.as_bytes();
    while at < bytes.len() {
        match (bytes[at], bytes.get(at + 1)) {
            (b'(', Some(b'*')) => (at, n_open) = (at + 2, n_open + 1),
            (b'*', Some(b')')) => {
                (at, n_open) = (at + 2, n_open - 1);
                if n_open == 0 {
                    return at;
                }
            }
            _ => at += 1,
        }
    }
    text.len()
}
