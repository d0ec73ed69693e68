//! Lists the files below a folder.

use std::path::{Path, PathBuf};

/// Lists every file below `folder` in the order of their paths. Hidden folders, those named in `skipped`, and folders
/// that cannot be listed are skipped; links are not followed.
pub fn files(folder: &Path, skipped: &[&str]) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(folder) = folders.pop() {
        let Ok(entries) = std::fs::read_dir(&folder) else { continue };
        for entry in entries.flatten() {
            let name = entry.file_name();
            let name = name.to_string_lossy();
            match entry.file_type() {
                Ok(kind) if kind.is_dir() && !name.starts_with('.') && !skipped.contains(&name.as_ref()) => {
                    folders.push(entry.path());
                }
                Ok(kind) if kind.is_file() => found.push(entry.path()),
                Ok(_) | Err(_) => {}
            }
        }
    }
    found.sort();
    found
}
