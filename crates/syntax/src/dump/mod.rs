//! Prints the tree as text: s-expressions for people and tests, JSON for programs.
//!
//! One walk (`file`, `expr`, `proof`) describes the tree as a flat list of events; `text` and `json` print that list.
//! Trees can be deep, so the walk grows its stack and the printers do not recurse.
//!
//! Events and printers know nothing of syntax trees, so later crates print their own structures with them.
//! Events and printers know nothing of syntax trees: what later crates make of them is printed alike.

pub mod events;
mod expr;
mod file;
pub mod json;
mod positions;
mod proof;
pub mod text;

use base::{Name, Names};
use diag::SourceFile;

use crate::ast::{ExprId, File};
use events::Events;
pub use positions::Positions;

/// Prints the tree of a file as indented s-expressions.
pub fn dump(file: &File, names: &Names) -> String {
    text::print(&Dumper::new(file, names).modules())
}

/// Prints one expression of `file` as an s-expression.
pub fn dump_expr(file: &File, root: ExprId, names: &Names) -> String {
    let mut dumper = Dumper::new(file, names);
    dumper.expr(root);
    text::print(&dumper.events)
}

/// Prints the tree of a file as a JSON array of modules. Places are lines and columns, counted from 1. `source` is the
/// text of the tree.
pub fn dump_json(file: &File, names: &Names, source: &SourceFile) -> String {
    let positions = Positions::new(source);
    json::print(&Dumper::new(file, names).modules(), |span, out| {
        out.push('{');
        positions.write(span, out);
        out.push('}');
    })
}

struct Dumper<'a> {
    file: &'a File,
    names: &'a Names,
    events: Events<'a>,
}

impl<'a> Dumper<'a> {
    fn new(file: &'a File, names: &'a Names) -> Self {
        Dumper { file, names, events: Events::default() }
    }

    fn text(&self, name: Name) -> &'a str {
        self.names.text(name)
    }
}
