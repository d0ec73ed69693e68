//! Cases that are files: adding a case is adding a file.

use std::path::{Path, PathBuf};

/// Lists the files directly in `folder` that end in `.extension`, in a fixed order.
pub fn files_here(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let mut found = entries(folder);
    found.retain(|path| path.is_file() && path.extension().is_some_and(|found| found == extension));
    found
}

/// Lists the folders directly in `folder`, in a fixed order.
pub fn folders(folder: &Path) -> Vec<PathBuf> {
    let mut found = entries(folder);
    found.retain(|path| path.is_dir());
    found
}

/// Lists the files in `folder` and below it that end in `.extension`, in a fixed order.
pub fn files(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let mut found = files_here(folder, extension);
    found.extend(folders(folder).iter().flat_map(|inner| files(inner, extension)));
    found
}

#[track_caller]
fn entries(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder);
    let entries = entries.unwrap_or_else(|error| panic!("cannot list {}: {error}", folder.display()));
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths
}
