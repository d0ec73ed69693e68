//! Text to tree: TLA+ modules and TLC's configuration files.
//!
//! Parsers return a tree *and* diagnostics; they never fail and never panic. Names are not resolved
//! here, and nothing here reads a file.

pub mod ast;
pub mod cfg;
pub mod op;

use diag::Diagnostics;

/// What a parser returns: the tree as far as it could be read, and what is wrong with the text.
#[derive(Debug)]
pub struct Parsed<T> {
    pub tree: T,
    pub diagnostics: Diagnostics,
}
