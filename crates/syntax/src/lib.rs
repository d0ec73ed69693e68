//! Text to tree: TLA+ modules and TLC's configuration files.
//!
//! Parsers return a tree *and* diagnostics; they never fail and never panic. Names are not resolved
//! here, and nothing here reads a file.

pub mod ast;
pub mod cfg;
pub mod dump;
mod lexer;
pub mod op;
mod parser;
mod token;
pub mod walk;

use base::Names;
use diag::{Diagnostics, SourceId};

pub use dump::{dump, dump_expr, dump_json};

use ast::{ExprId, File};

/// A tree, and what was wrong with the text. With errors, the tree holds what could be read.
#[derive(Debug)]
pub struct Parsed<T> {
    pub tree: T,
    pub diagnostics: Diagnostics,
}

/// One expression with the arena that it lives in; `file` has no modules.
#[derive(Debug)]
pub struct LoneExpr {
    pub file: File,
    pub root: ExprId,
}

/// Reads the modules of a `.tla` file.
pub fn parse_file(source: SourceId, text: &str, names: &mut Names) -> Parsed<File> {
    let (tree, diagnostics) = parser::parse_file(source, text, names);
    Parsed { tree, diagnostics }
}

/// Reads one expression given as text; all of the text must belong to it.
pub fn parse_expr(source: SourceId, text: &str, names: &mut Names) -> Parsed<LoneExpr> {
    let (file, root, diagnostics) = parser::parse_expr(source, text, names);
    Parsed { tree: LoneExpr { file, root }, diagnostics }
}
