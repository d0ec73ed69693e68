//! Compares `tests/data/TOPIC/Name.tla` with `Name.txt`, the diagnostics, or `Name.spec`, the resolved specification.
//!
//! A case of several files is a folder, and its root module is called `Root`. Expectations without errors show the root
//! module alone.

use std::path::{Path, PathBuf};

use base::FxHashSet;
use diag::Code;
use sema::{DiskFiles, LoadOptions, Loaded};
use test_kit::Expectations;

/// Folders of `tests/data` that belong to other tests.
const OTHERS: &[&str] = &["lint", "config"];

fn topics() -> Vec<PathBuf> {
    let mut topics = test_kit::folders(Path::new("tests/data"));
    topics.retain(|topic| !OTHERS.iter().any(|other| topic.ends_with(other)));
    topics
}

/// Lists the root modules of all cases.
fn cases() -> Vec<PathBuf> {
    let of_topic = |topic: &PathBuf| {
        let several = test_kit::folders(topic).into_iter().map(|folder| folder.join("Root.tla"));
        test_kit::files_here(topic, "tla").into_iter().chain(several).collect::<Vec<_>>()
    };
    topics().iter().flat_map(of_topic).collect()
}

/// Loads a case. A folder called `library` beside the root is on the library path.
fn load(case: &Path) -> Loaded {
    let library = case.with_file_name("library");
    let library = if library.is_dir() { vec![library] } else { Vec::new() };
    sema::load(case, &LoadOptions { library, ..LoadOptions::default() }, &DiskFiles)
}

#[test]
fn specifications_are_understood_as_expected() {
    let mut expectations = Expectations::new();
    for case in cases() {
        let Loaded { spec, diagnostics } = load(&case);
        let messages = test_kit::plain(&diagnostics, &spec.sources);
        let understood = match diagnostics.has_errors() {
            true => String::new(),
            false => sema::dump_module(&spec, spec.root),
        };
        expectations.check_or_absent(&case.with_extension("txt"), &messages);
        expectations.check_or_absent(&case.with_extension("spec"), &understood);
    }
    expectations.finish();
}

/// Checks that no name is left unbound in a resolved specification: that would be a mistake of the resolver, whatever
/// is expected.
#[test]
fn nothing_is_left_unbound() {
    for case in cases() {
        let Loaded { spec, diagnostics } = load(&case);
        if diagnostics.has_errors() {
            continue;
        }
        let dump = sema::dump_spec(&spec);
        for mark in ["#?", "ERROR", "MISSING"] {
            let line = dump.lines().find(|line| line.contains(mark));
            assert_eq!(line, None, "{} has `{mark}`", case.display());
        }
    }
}

#[test]
fn every_expectation_has_a_case() {
    let cases: FxHashSet<PathBuf> = cases().into_iter().collect();
    for topic in topics() {
        for extension in ["txt", "spec"] {
            for expectation in test_kit::files(&topic, extension) {
                let case = expectation.with_extension("tla");
                assert!(cases.contains(&case), "{} belongs to no case", expectation.display());
            }
        }
    }
}

/// Whether a code belongs to this crate. The crates for TLA+ text and for configurations test their own.
fn is_ours(code: Code) -> bool {
    ("SL0200".."SL0500").contains(&code.id())
}

#[test]
fn every_code_has_a_case() {
    let expectations = test_kit::files(Path::new("tests/data"), "txt");
    let all: String = expectations.iter().map(|path| std::fs::read_to_string(path).unwrap()).collect();
    let missing: Vec<&Code> =
        Code::ALL.iter().filter(|&&code| is_ours(code) && !all.contains(code.id())).collect();
    assert!(missing.is_empty(), "no case shows {missing:?}");
}
