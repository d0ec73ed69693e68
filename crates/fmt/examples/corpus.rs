//! Formats every module below some folders, and says what would not be as it should: `cargo run -p fmt --example corpus --
//! DIR...`. Nothing is written.
#![expect(clippy::print_stdout, reason = "a program for developers")]

use std::path::{Path, PathBuf};

use fmt::{Options, format};

/// The numbers of files with each result.
#[derive(Debug, Default)]
struct Counts {
    formatted: usize,
    as_they_were: usize,
    unreadable: usize,
    left_alone: usize,
    unstable: usize,
}

fn main() {
    let mut files = Vec::new();
    std::env::args_os().skip(1).for_each(|folder| collect(Path::new(&folder), &mut files));
    files.sort();
    let mut counts = Counts::default();
    for path in &files {
        let Ok(text) = std::fs::read_to_string(path) else {
            counts.unreadable += 1;
            continue;
        };
        judge(path, &text, &mut counts);
    }
    println!("{} files: {counts:?}", files.len());
}

fn judge(path: &Path, text: &str, counts: &mut Counts) {
    let name = path.display().to_string();
    let Ok(first) = format(&name, text, &Options::default()) else {
        counts.unreadable += 1;
        return;
    };
    for lines in &first.left_alone {
        counts.left_alone += 1;
        println!("left alone: {name}:{}", lines.start());
    }
    let second = format(&name, &first.text, &Options::default());
    if second.is_ok_and(|second| second.text == first.text) {
        counts.formatted += 1;
    } else {
        counts.unstable += 1;
        println!("not stable: {name}");
    }
    counts.as_they_were += usize::from(first.text == text);
}

fn collect(path: &Path, files: &mut Vec<PathBuf>) {
    if path.extension().is_some_and(|extension| extension == "tla") && path.is_file() {
        files.push(path.to_path_buf());
        return;
    }
    let Ok(entries) = std::fs::read_dir(path) else { return };
    for entry in entries.flatten().filter(|entry| entry.file_type().is_ok_and(|kind| !kind.is_symlink())) {
        collect(&entry.path(), files);
    }
}
