//! TLC's configuration files: parses text to [`Config`], a tree that is faithful to the text.
//!
//! The grammar is TLC's, statement by statement. Where TLC takes any token at all for a name or a model value, and
//! fails later or not at all, this parser refuses it and says what to write instead. It does not check whether the
//! names mean anything in a module.

mod keyword;
mod lex;
mod parse;
mod refuse;
mod section;
mod tree;
mod value;

use std::ops::Range;

use base::Names;
use diag::{Code, Diagnostic, Diagnostics, SourceId, Span};

pub use keyword::Keyword;
pub use section::{find_section, section_names};
pub use tree::{Args, Assignment, Body, Config, DeadlockFlag, Path, RightSide, Statement, Value, ValueKind};

use crate::Parsed;

/// Size of the largest configuration that is read. The largest public one has a few kilobytes; a larger file than this
/// is not a configuration.
pub const MAX_BYTES: usize = 16 * 1024 * 1024;

/// Number of errors after which reading stops: more would be noise.
pub const MAX_ERRORS: usize = 100;

/// Reads a whole `.cfg` file.
pub fn parse_config(source: SourceId, text: &str, names: &mut Names) -> Parsed<Config> {
    parse_config_in(source, text, 0..text.len(), names)
}

/// Reads the configuration in `range` of `text`, which [`find_section`] found in a module file. Spans count from the
/// start of `text`.
pub fn parse_config_in(
    source: SourceId,
    text: &str,
    range: Range<usize>,
    names: &mut Names,
) -> Parsed<Config> {
    if range.len() > MAX_BYTES {
        let place = Span::new(source, range.start..range.start);
        let mut diagnostics = Diagnostics::new();
        diagnostics.push(too_large(place, range.len()));
        return Parsed { tree: Config::default(), diagnostics };
    }
    let lexed = lex::lex(source, text, range);
    parse::parse(source, text, lexed, names)
}

/// Returns the places of the tokens in a `.cfg` file, in order, without comments. The last one is the end.
pub(crate) fn places_of_tokens(source: SourceId, text: &str) -> Vec<(u32, u32)> {
    let tokens = lex::lex(source, text, 0..text.len()).tokens;
    tokens.iter().map(|token| (token.start, token.end)).collect()
}

fn too_large(place: Span, n_bytes: usize) -> Diagnostic {
    let headline = format!("this configuration has {n_bytes} bytes, more than the {MAX_BYTES} that are read");
    Diagnostic::new(Code::TooLarge, place, headline).help("check that this is a configuration file")
}
