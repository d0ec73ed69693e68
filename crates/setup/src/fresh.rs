//! Modules with fresh translations of their PlusCal algorithms, which are not written to any file.

use std::io;
use std::path::{Path, PathBuf};

use diag::SourceMap;
use pcal::{Options, Translation};
use sema::{DiskFiles, FileSystem};

/// The files of the disk, where each module with an algorithm has its translation made anew. An algorithm that cannot be
/// translated is left as it is: the lint of translations says why.
pub struct FreshTranslations;

impl FileSystem for FreshTranslations {
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        let bytes = DiskFiles.read(path)?;
        Ok(translated(&bytes).map_or(bytes, String::into_bytes))
    }

    fn exists(&self, path: &Path) -> bool {
        DiskFiles.exists(path)
    }

    fn modules_in(&self, folder: &Path) -> Vec<PathBuf> {
        DiskFiles.modules_in(folder)
    }
}

/// The module with a fresh translation, if it has an algorithm that can be translated.
fn translated(bytes: &[u8]) -> Option<String> {
    let text = syntax::decode::module_text(bytes.to_vec()).ok()?;
    if !pcal::has_algorithm(&text) || text.len() > SourceMap::MAX_BYTES {
        return None;
    }
    let source = SourceMap::new().add("", text.as_str());
    let translated = pcal::translate(&text, source, &Options::default()).ok()?;
    translated.map(|Translation { module, .. }| module)
}
