//! Traces as files beside their expected forms, TLC's own listing, random values, and files that are not traces.
//!
//! `UPDATE_EXPECT=1 cargo test -p trace` rewrites `tests/trace/data/`, except what TLC printed; people review it.

mod bad;
mod compare;
mod diff;
mod lanes;
mod long;
mod random;
mod round_trip;
mod show;

use std::path::PathBuf;

/// Returns the folder `name` of cases.
fn data(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/trace/data").join(name)
}

/// Returns the traces in `folder`, with the name of each.
fn cases(folder: &str) -> Vec<(String, String)> {
    let files = test_kit::files_here(&data(folder), "json");
    let cases = files.into_iter().filter_map(|path| {
        let name = path.file_name()?.to_str()?.strip_suffix(".itf.json")?.to_owned();
        Some((name, std::fs::read_to_string(&path).expect("a case can be read")))
    });
    cases.collect()
}
