//! Every case of `suite/` through the program, breadth-first (in memory and from disk) and depth-first, with one
//! worker and with two, in copies of its folder: exit code, verdict, counts, trace and output as TLC recorded them.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod compare;
mod printed;
mod record;
mod run;

use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use record::Case;
use run::{WAYS, Way};

/// Models that take too long without optimisation: `cargo test --profile quick -p cli suite`.
const LARGE: &str = "large/";

/// The cases that are not run from disk, and why.
const SKIPPED_ON_DISK: &[(&str, &str)] = &[
    (
        "modules/TlcGetMoving",
        "how many states there are is known at the end of each level, as with several workers",
    ),
    ("liveness/", "temporal properties need every step in memory"),
    ("protocols/RaftLive", "likewise"),
];

#[test]
fn the_suite_ends_as_recorded() {
    let cases = cases(|name| !name.starts_with(LARGE));
    assert!(cases.len() > 300, "the suite is there: {} cases", cases.len());
    check(&cases, |_| true);
}

/// In all ways they take several times as long as all else, so that is for changes to the searches.
#[cfg(not(debug_assertions))]
#[test]
fn large_models_end_as_recorded() {
    let cases = cases(|name| name.starts_with(LARGE));
    assert!(cases.len() > 10, "they are there: {} cases", cases.len());
    let in_every_way = std::env::var_os("SPECLINE_EVERY_WAY").is_some();
    check(&cases, |way| in_every_way || way.is_for_large());
}

fn suite() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../suite")
}

fn cases(is_wanted: impl Fn(&str) -> bool) -> Vec<Case> {
    let suite = suite();
    let read = |expect: PathBuf| {
        record::read(&suite, &expect).unwrap_or_else(|error| panic!("{}: {error}", expect.display()))
    };
    let cases = test_kit::files(&suite, "expect").into_iter().map(read);
    cases.filter(|case| is_wanted(&case.name)).collect()
}

/// Runs every case in every way that is wanted, one at a time on each processor.
fn check(cases: &[Case], is_wanted: impl Fn(Way) -> bool) {
    let copies: Vec<_> = WAYS.iter().map(|_| tempfile::tempdir().unwrap()).collect();
    copies.iter().for_each(|copy| copy_folder(&suite(), copy.path()));
    let is_true = |case: &Case, way: Way| {
        case.workers.is_none_or(|workers| workers == way.workers)
            && case.search.is_none_or(|search| search == way.search)
            && !(way.is_spilling() && SKIPPED_ON_DISK.iter().any(|(start, _)| case.name.starts_with(start)))
    };
    let jobs: Vec<(&Case, usize)> = cases
        .iter()
        .flat_map(|case| (0..WAYS.len()).map(move |way| (case, way)))
        .filter(|&(case, way)| is_wanted(WAYS[way]) && is_true(case, WAYS[way]))
        .collect();
    let next = AtomicUsize::new(0);
    let complaints = Mutex::new(Vec::new());
    let n_threads = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    std::thread::scope(|scope| {
        for _ in 0..n_threads {
            scope.spawn(|| {
                while let Some(&(case, way)) = jobs.get(next.fetch_add(1, Ordering::Relaxed)) {
                    if let Some(complaint) = complaint(copies[way].path(), case, WAYS[way]) {
                        complaints.lock().unwrap().push(complaint);
                    }
                }
            });
        }
    });
    let mut complaints = complaints.into_inner().unwrap();
    complaints.sort();
    assert!(complaints.is_empty(), "{} of {}:\n{}", complaints.len(), jobs.len(), complaints.join("\n"));
}

/// Says what differs from the record, if anything does.
fn complaint(copy: &Path, case: &Case, way: Way) -> Option<String> {
    let differences = match run::run(copy, case, way) {
        Ok(outcome) => compare::differences(case, way, &outcome),
        Err(error) => vec![error],
    };
    (!differences.is_empty()).then(|| format!("{} {way}\n    {}", case.name, differences.join("\n    ")))
}

fn copy_folder(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            copy_folder(&entry.path(), &target);
        } else {
            std::fs::copy(entry.path(), target).unwrap();
        }
    }
}
