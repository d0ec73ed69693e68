//! The folder that a search spills into: of one run alone, and empty when the run ends.
//!
//! Files have no names there: what the process has open is gone when it ends, in whatever way.

use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

const LOCK_NAME: &str = "specline.lock";

/// Why a folder cannot be used.
#[derive(Debug)]
pub(crate) enum Refusal {
    InUse,
    NotEmpty,
    Io(io::Error),
}

impl From<io::Error> for Refusal {
    fn from(error: io::Error) -> Self {
        Refusal::Io(error)
    }
}

#[derive(Debug)]
pub(crate) struct Folder {
    path: PathBuf,
    /// Whether it was made here: then it is removed at the end.
    is_made: bool,
    n_files: AtomicU64,
    memory_bytes_max: usize,
    /// Locked while the folder is in use.
    _lock: File,
}

impl Folder {
    /// Takes the folder, and makes it if there is none.
    pub fn open(path: &Path, memory_bytes_max: usize) -> Result<Folder, Refusal> {
        let is_made = !path.exists();
        fs::create_dir_all(path)?;
        let lock = File::create(path.join(LOCK_NAME))?;
        match lock.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(Refusal::InUse),
            Err(TryLockError::Error(error)) => return Err(error.into()),
        }
        let folder = Folder {
            path: path.to_owned(),
            is_made,
            n_files: AtomicU64::new(0),
            memory_bytes_max,
            _lock: lock,
        };
        for entry in fs::read_dir(path)? {
            if entry?.file_name() != LOCK_NAME {
                return Err(Refusal::NotEmpty);
            }
        }
        Ok(folder)
    }

    /// Returns the largest size of a run that needs no file.
    pub fn memory_bytes_max(&self) -> usize {
        self.memory_bytes_max
    }

    /// A file without a name, to write and to read.
    pub fn file(&self) -> io::Result<File> {
        let number = self.n_files.fetch_add(1, Ordering::Relaxed);
        let path = self.path.join(format!("{number}"));
        let file = File::options().read(true).write(true).create_new(true).open(&path)?;
        fs::remove_file(&path)?;
        Ok(file)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // Nothing depends on it: a lock that is not held refuses nobody.
        let _ = fs::remove_file(self.path.join(LOCK_NAME));
        if self.is_made {
            let _ = fs::remove_dir(&self.path);
        }
    }
}
