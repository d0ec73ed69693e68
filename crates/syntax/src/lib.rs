//! Text to tree: TLA+ modules and TLC's configuration files.
//!
//! Parsers return a tree *and* diagnostics; they never fail and never panic. Names are not resolved
//! here, and nothing here reads a file.

pub mod ast;
pub mod op;
