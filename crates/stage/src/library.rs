//! The library for guests, which the program carries and writes to a file where the dynamic linker can find it.

use std::io;
use std::path::{Path, PathBuf};

static BYTES: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/libspecline_interpose.so"));

/// The library in a file.
#[derive(Clone, Debug)]
pub struct Library {
    path: PathBuf,
}

impl Library {
    /// Writes the library into a folder, unless it is there already.
    pub fn write_to(folder: &Path) -> io::Result<Library> {
        let path = folder.join("libspecline_interpose.so");
        if std::fs::read(&path).ok().as_deref() != Some(BYTES) {
            // It is written under another name first, because a process may be loading the old file.
            let fresh = folder.join(format!("libspecline_interpose.so.{}", std::process::id()));
            std::fs::write(&fresh, BYTES)?;
            std::fs::rename(&fresh, &path)?;
        }
        Ok(Library { path })
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the bytes of the library, for code that examines its symbols.
    pub fn bytes() -> &'static [u8] {
        BYTES
    }
}
