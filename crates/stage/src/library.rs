//! The library for guests, carried inside the program and written out where the dynamic linker can find it.

use std::io;
use std::path::{Path, PathBuf};

static BYTES: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/libspecline_interpose.so"));

/// The library in a file.
#[derive(Clone, Debug)]
pub struct Library {
    path: PathBuf,
}

impl Library {
    /// Writes it into a folder, unless it is there already.
    pub fn write_to(folder: &Path) -> io::Result<Library> {
        let path = folder.join("libspecline_interpose.so");
        if std::fs::read(&path).ok().as_deref() != Some(BYTES) {
            // Under another name first: somebody may be loading the old one.
            let fresh = folder.join(format!("libspecline_interpose.so.{}", std::process::id()));
            std::fs::write(&fresh, BYTES)?;
            std::fs::rename(&fresh, &path)?;
        }
        Ok(Library { path })
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What is inside, for those who look at its symbols.
    pub fn bytes() -> &'static [u8] {
        BYTES
    }
}
