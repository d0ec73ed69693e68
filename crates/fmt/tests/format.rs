//! Formatted modules beside their texts, and what must hold for every module.
//!
//! `UPDATE_EXPECT=1 cargo test -p fmt` writes `tests/data/*.formatted`.

use std::path::{Path, PathBuf};

use fmt::{Formatted, Options, format};
use test_kit::Expectations;

fn formatted(path: &Path, text: &str) -> Option<Formatted> {
    format(&path.display().to_string(), text, &Options::default()).ok()
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).expect("a text")
}

#[test]
fn modules_are_formatted_as_the_files_beside_them() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data");
    let mut expectations = Expectations::new();
    for path in test_kit::files(&folder, "tla") {
        let result = formatted(&path, &read(&path)).unwrap_or_else(|| panic!("{}", path.display()));
        let left =
            result.left_alone.iter().map(|lines| format!("left alone: {lines:?}\n")).collect::<String>();
        expectations.check(&path.with_extension("formatted"), &format!("{}{left}", result.text));
    }
    expectations.finish();
}

/// The tree and the comments are compared on every run; here a second run must change nothing.
#[test]
fn a_second_run_changes_nothing() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let folders = ["suite/protocols", "suite/lang", "suite/language", "suite/expressions", "specs/pysyncobj"];
    let files = folders.iter().flat_map(|folder| test_kit::files(&root.join(folder), "tla"));
    let files: Vec<PathBuf> = files.collect();
    let mut n_formatted = 0;
    for path in files {
        let Some(first) = formatted(&path, &read(&path)) else { continue };
        let second = formatted(&path, &first.text).expect("it can still be read");
        assert_eq!(second.text, first.text, "{}", path.display());
        n_formatted += 1;
    }
    assert!(n_formatted > 50, "{n_formatted}");
}

#[test]
fn line_ends_of_windows_stay() {
    let text = "---- MODULE M ----\r\nA==1\r\n====\r\n";
    let result = formatted(Path::new("M.tla"), text).expect("a module");
    assert_eq!(result.text, "---- MODULE M ----\r\nA == 1\r\n====\r\n");
}

#[test]
fn a_definition_whose_columns_carry_meaning_is_left_alone() {
    // The second `/\` is left of the first: it is an operator between two lists.
    let text = "---- MODULE M ----\nA(x) == /\\ x = 1\n     /\\ x   =   2\nB==1\n====\n";
    let result = formatted(Path::new("M.tla"), text).expect("a module");
    assert_eq!(result.text, text.replace("B==1", "B == 1"));
    assert_eq!(result.left_alone, [2..=3]);
}

#[test]
fn only_units_in_the_ranges_change() {
    let text = "---- MODULE M ----\nA==1\n\n\n\n\nB==\n1\nC==1\n====\n";
    let options = Options { ranges: vec![8..=8] };
    let result = format("M.tla", text, &options).expect("a module");
    assert_eq!(result.text, "---- MODULE M ----\nA==1\n\n\n\n\nB ==\n  1\nC==1\n====\n");
}

#[test]
fn what_cannot_be_read_is_refused() {
    assert!(formatted(Path::new("M.tla"), "---- MODULE M ----\nA == (\n====\n").is_none());
    assert!(formatted(Path::new("M.tla"), "no module").is_none());
}
