//! Compositions: one system whose modules are written at several grains, and named choices of grains.
//!
//! A composition becomes an ordinary resolved specification; nothing after this crate knows that it was composed.
//!
//! Not here: the command line, and printing.

pub mod accept;
pub mod action_text;
mod asked;
mod assemble;
pub mod change;
mod choose;
pub mod compare;
pub mod conditions;
mod config;
pub mod effects;
mod emit;
mod explore;
pub mod family;
mod frame;
pub mod interaction;
mod layout;
pub mod page;
mod provide;
mod read;

use std::path::Path;

use diag::{Code, Diagnostic, Diagnostics, SourceMap, Span};

pub use asked::{LeftOut, Why};
pub use assemble::{ActionOutline, Composed, Loading, Outline, PartOutline, assemble};
pub use choose::{Choice, ChosenModule, check_family, choose, finest};
pub use emit::{Emitted, emit};
pub use family::{Family, split_reference};

/// Reads the text of a composition file.
pub fn read(path: &Path, text: &str) -> Result<Family, Vec<family::MapError>> {
    read::family(path, text)
}

/// Makes diagnostics of errors in a composition file, whose text is added to `sources`.
pub fn report(
    path: &Path,
    text: &str,
    errors: Vec<family::MapError>,
    sources: &mut SourceMap,
) -> Diagnostics {
    let source = sources.add(path.display().to_string(), text);
    let diagnostic = |error: family::MapError| {
        let wrong = Diagnostic::new(Code::CompositionFile, Span::new(source, error.place), error.message);
        match error.help {
            Some(help) => wrong.help(help),
            None => wrong,
        }
    };
    errors.into_iter().map(diagnostic).collect()
}
