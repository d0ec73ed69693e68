//! The text that a module gets: pieces in their columns.

use diag::Span;
use syntax::ast::File;
use syntax::token::TokenKind;

use crate::align::Alignments;
use crate::indent::Indenter;
use crate::kept::KeptLines;
use crate::pieces::{Piece, PieceKind, Pieces, width};
use crate::spacing::{Neighbours, spaces};

/// Number of empty lines that may follow each other.
const N_EMPTY_MAX: usize = 2;

/// Lays a text out.
pub fn layout(text: &str, file: &File, pieces: &Pieces, kept: &KeptLines) -> String {
    let indenter = Indenter::new(file, pieces);
    let mut alignments = Alignments::new(text, pieces, kept);
    // Each round moves the tokens that are aligned behind those of the round before.
    for round in alignments.rounds() {
        let columns = columns(text, pieces, kept, (&indenter, &alignments));
        alignments.settle(round, &columns);
    }
    let columns = columns(text, pieces, kept, (&indenter, &alignments));
    write(text, pieces, kept, &columns)
}

/// The column of each piece.
fn columns(
    text: &str,
    pieces: &Pieces,
    kept: &KeptLines,
    (indenter, alignments): (&Indenter<'_>, &Alignments),
) -> Vec<usize> {
    let mut columns: Vec<usize> = Vec::with_capacity(pieces.list.len());
    let mut before = None;
    for (index, piece) in pieces.list.iter().enumerate() {
        let column = if kept.has(piece.line) {
            piece.column
        } else if piece.is_first {
            first_column(pieces, index, &columns, indenter)
        } else {
            match index.checked_sub(1) {
                Some(left) if pieces.list[left].end_line == piece.line => {
                    let neighbours = Neighbours { text, before, left: &pieces.list[left], right: piece };
                    end_column(text, &pieces.list[left], columns[left]) + spaces(neighbours)
                }
                // Prose is before it on its line.
                Some(_) | None => piece.column,
            }
        };
        columns.push(column + alignments.pad(index));
        if let Some(left) = index.checked_sub(1).map(|left| &pieces.list[left])
            && let Some(kind) = left.token()
        {
            before = Some(kind);
        }
    }
    columns
}

/// The column of the first piece of a line.
fn first_column(pieces: &Pieces, index: usize, columns: &[usize], indenter: &Indenter<'_>) -> usize {
    let piece = &pieces.list[index];
    if !piece.is_comment() {
        return indenter.column(index, columns);
    }
    // A comment over several lines is a picture, and stays where it is.
    if piece.end_line > piece.line {
        return piece.column;
    }
    match pieces.next_token(index) {
        Some(next) => {
            // It may stand further to the right than what it is about, as before.
            let further = match pieces.list[next].is_first {
                true => piece.column.saturating_sub(pieces.list[next].column),
                false => 0,
            };
            indenter.column(next, columns) + further
        }
        None => piece.column,
    }
}

/// The column behind a piece that begins at `column`.
pub fn end_column(text: &str, piece: &Piece, column: usize) -> usize {
    let piece_text = &text[piece.range.clone()];
    match piece_text.rsplit_once('\n') {
        Some((_, last)) => width(last),
        None => column + piece_text.chars().count(),
    }
}

fn write(text: &str, pieces: &Pieces, kept: &KeptLines, columns: &[usize]) -> String {
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    let mut column = 0;
    for (index, piece) in pieces.list.iter().enumerate() {
        let between = &text[at..piece.range.start];
        let is_kept = kept.has(piece.line);
        let is_behind_prose = match index.checked_sub(1) {
            None => true,
            Some(left) => {
                let left = &pieces.list[left];
                left.token() == Some(TokenKind::ModuleEnd) && !between.trim().is_empty()
            }
        };
        if is_behind_prose {
            out.push_str(between);
        } else if piece.is_first {
            line_ends(&mut out, between, (is_kept, kept.keeps_empty_lines));
            out.push_str(match is_kept {
                true => &between[between.rfind('\n').map_or(0, |end| end + 1)..],
                false => "",
            });
            if !is_kept {
                out.extend(std::iter::repeat_n(' ', columns[index]));
            }
        } else if is_kept {
            out.push_str(between);
        } else {
            out.extend(std::iter::repeat_n(' ', columns[index].saturating_sub(column)));
        }
        out.push_str(&text[piece.range.clone()]);
        column = end_column(text, piece, columns[index]);
        at = piece.range.end;
    }
    out.push_str(&text[at..]);
    out
}

/// Writes the line ends between two pieces. Spaces at the ends of lines go, and so do empty lines that are too many.
fn line_ends(out: &mut String, between: &str, (is_kept, keeps_empty): (bool, bool)) {
    if is_kept {
        let end = between.rfind('\n').map_or(0, |end| end + 1);
        out.push_str(&between[..end]);
        return;
    }
    let n_ends = between.matches('\n').count();
    let n_max = if keeps_empty { n_ends } else { N_EMPTY_MAX + 1 };
    out.extend(std::iter::repeat_n('\n', n_ends.min(n_max)));
}

/// The piece at the start of a span.
pub fn start_of(pieces: &Pieces, span: Span) -> usize {
    pieces.index_at(span.range().start)
}

/// Whether a piece is a comment that ends its line.
pub fn is_line_comment(piece: &Piece) -> bool {
    piece.kind == PieceKind::LineComment
}
