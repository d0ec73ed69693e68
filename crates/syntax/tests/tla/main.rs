//! Tests of reading TLA+, as files beside their expectations.
//!
//! `cases` holds the folder of small modules; `spans`, `depth` and `mutations` state what holds for every text;
//! `corpus` and `oracle` compare with other parsers. `UPDATE_EXPECT=1 cargo test -p syntax --test tla` rewrites the
//! expectations.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod cases;
mod corpus;
mod depth;
mod expressions;
mod mutations;
mod oracle;
mod spans;

use std::path::{Path, PathBuf};

use base::Names;
use diag::{SourceId, SourceMap};
use syntax::Parsed;
use syntax::ast::File;

/// A text that was read, with everything needed to print the result.
struct Read {
    sources: SourceMap,
    source: SourceId,
    names: Names,
    parsed: Parsed<File>,
}

fn read(text: &str) -> Read {
    let mut sources = SourceMap::new();
    let source = sources.add("test.tla", text);
    let mut names = Names::new();
    let parsed = syntax::parse_file(source, text, &mut names);
    Read { sources, source, names, parsed }
}

fn data_dir() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data")
}

/// Returns the root of the repository.
fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Prints diagnostics as plain text; empty when there are none.
fn messages(read: &Read) -> String {
    test_kit::plain(&read.parsed.diagnostics, &read.sources)
}

/// Lists the modules that come with Specline or test it.
fn own_modules() -> Vec<PathBuf> {
    let folders = ["suite", "specs", "crates/sema/modules"].map(|folder| repository().join(folder));
    folders
        .iter()
        .filter(|folder| folder.exists())
        .flat_map(|folder| test_kit::files(folder, "tla"))
        .collect()
}

/// Returns the folder of public specifications to compare on, if the environment names one.
#[expect(clippy::disallowed_methods, reason = "a development test is switched on from outside")]
fn corpus_dir() -> Option<PathBuf> {
    std::env::var_os("SPECLINE_CORPUS").map(PathBuf::from)
}
