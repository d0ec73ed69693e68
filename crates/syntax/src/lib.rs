//! Parses text to trees: TLA+ modules and TLC's configuration files.
//!
//! Parsers return a tree *and* diagnostics; they never fail and never panic. Names are not resolved here, and nothing
//! here reads a file.

pub mod ast;
pub mod cfg;
pub mod decode;
pub mod dump;
mod lexer;
pub mod op;
mod parser;
pub mod token;
pub mod walk;

use base::Names;
use diag::{Diagnostics, SourceId, Span};

pub use dump::{dump, dump_expr, dump_json};

use ast::{ExprId, File};

/// A tree, and the errors in the text. With errors, the tree holds what could be read.
#[derive(Debug)]
pub struct Parsed<T> {
    pub tree: T,
    pub diagnostics: Diagnostics,
}

/// One expression with its arena; `file` has no modules.
#[derive(Debug)]
pub struct LoneExpr {
    pub file: File,
    pub root: ExprId,
}

/// Reads the modules of a `.tla` file.
pub fn parse_file(source: SourceId, text: &str, names: &mut Names) -> Parsed<File> {
    let (tree, diagnostics) = parser::parse_file(source, text, names);
    debug_assert!(
        tree.exprs.iter().all(|expr| expr.span.end as usize <= text.len()),
        "every expression stands in the text"
    );
    Parsed { tree, diagnostics }
}

/// Returns the places of the tokens in the modules of a file, in order, without comments and prose. For messages that
/// mention the token before a place.
pub fn tokens(source: SourceId, text: &str) -> Vec<Span> {
    let tokens = lexer::lex(source, text, lexer::Mode::File).tokens.into_iter();
    let real = tokens.filter(|token| token.kind != token::TokenKind::Eof);
    real.map(|token| Span::new(source, token.start as usize..token.end as usize)).collect()
}

/// Returns the tokens of the modules of a file, in order, without comments and prose.
pub fn tokens_of_file(source: SourceId, text: &str) -> Vec<token::Token> {
    let tokens = lexer::lex(source, text, lexer::Mode::File).tokens.into_iter();
    tokens.filter(|token| token.kind != token::TokenKind::Eof).collect()
}

/// Reads one expression given as text. The whole text must belong to it.
pub fn parse_expr(source: SourceId, text: &str, names: &mut Names) -> Parsed<LoneExpr> {
    let (file, root, diagnostics) = parser::parse_expr(source, text, names);
    Parsed { tree: LoneExpr { file, root }, diagnostics }
}
