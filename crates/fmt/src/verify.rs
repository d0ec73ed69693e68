//! Whether a formatted text is the same module: tokens, tree and comments.

use diag::SourceId;

use crate::Read;
use crate::pieces::Pieces;

/// Whether `formatted` has the tokens, the tree and the comments of the text that was read.
pub fn is_same(before: &Read, text: &str, formatted: &str) -> bool {
    let Ok(after) = crate::read("formatted", formatted) else { return false };
    pieces_of(before.source, text) == pieces_of(after.source, formatted)
        && syntax::dump(&before.file, &before.names) == syntax::dump(&after.file, &after.names)
}

/// The texts of tokens and comments, in order.
fn pieces_of(source: SourceId, text: &str) -> Vec<&str> {
    let pieces = Pieces::new(source, text).list.into_iter();
    pieces.map(|piece| text[piece.range].trim_end()).collect()
}
