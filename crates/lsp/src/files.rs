//! Files as the editor has them: open texts come before those on disk. What was read is remembered, so that a result can be
//! used again as long as all of it is the same.

use std::cell::RefCell;
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use base::FxIndexMap;
use sema::{DiskFiles, FileSystem};

use crate::snapshot::Snapshot;

/// A sign of what a file contains: two different contents have different stamps.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stamp {
    /// An open text, with the stamp of its document.
    Open(u64),
    /// A file on disk: when it was written, and its size.
    Disk(SystemTime, u64),
    Missing,
}

impl Stamp {
    pub fn of_disk(path: &Path) -> Stamp {
        match path.metadata() {
            Ok(data) => Stamp::Disk(data.modified().unwrap_or(SystemTime::UNIX_EPOCH), data.len()),
            Err(_) => Stamp::Missing,
        }
    }
}

/// The files that were looked at, with what they contained.
pub type Dependencies = FxIndexMap<PathBuf, Stamp>;

/// The files of a snapshot.
pub struct EditorFiles<'a> {
    snapshot: &'a Snapshot,
    /// Texts that replace those of the snapshot: what a rename would make.
    replaced: &'a FxIndexMap<PathBuf, String>,
    seen: RefCell<Dependencies>,
}

impl<'a> EditorFiles<'a> {
    pub fn new(snapshot: &'a Snapshot, replaced: &'a FxIndexMap<PathBuf, String>) -> Self {
        EditorFiles { snapshot, replaced, seen: RefCell::default() }
    }

    pub fn into_seen(self) -> Dependencies {
        self.seen.into_inner()
    }

    fn note(&self, path: &Path) {
        let mut seen = self.seen.borrow_mut();
        if !seen.contains_key(path) {
            seen.insert(path.to_path_buf(), self.snapshot.stamp_of(path));
        }
    }
}

impl FileSystem for EditorFiles<'_> {
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        self.note(path);
        if let Some(text) = self.replaced.get(path) {
            return Ok(text.clone().into_bytes());
        }
        match self.snapshot.documents.get(path) {
            Some(document) => Ok(document.text.as_bytes().to_vec()),
            None => DiskFiles.read(path),
        }
    }

    fn exists(&self, path: &Path) -> bool {
        self.note(path);
        self.snapshot.documents.contains_key(path) || DiskFiles.exists(path)
    }

    fn modules_in(&self, folder: &Path) -> Vec<PathBuf> {
        let mut paths = DiskFiles.modules_in(folder);
        let is_here = |path: &&PathBuf| {
            path.parent() == Some(folder) && path.extension().is_some_and(|ending| ending == "tla")
        };
        paths.extend(self.snapshot.documents.keys().filter(is_here).cloned());
        paths.sort();
        paths.dedup();
        paths
    }
}
