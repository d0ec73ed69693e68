//! Files that a run writes: no two of them are the same, and none is one that it reads.

use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use diag::{Code, Diagnostic};
use sema::{DiskFiles, LoadOptions};

use crate::composition;
use crate::config::config_of;
use crate::input::ModelInput;

/// The files that a model is read from: the modules that its root names too, where one of them could be written over.
pub fn read(model: &ModelInput, written: &[(&str, impl AsRef<Path>)]) -> Vec<(&'static str, PathBuf)> {
    let config = config_of(&model.spec, model.config.as_deref());
    let spec = ("the specification", model.spec.clone());
    let mut read: Vec<_> = [spec].into_iter().chain(config.map(|path| ("the configuration", path))).collect();
    if written.iter().any(|(_, path)| path.as_ref().exists()) {
        read.extend(modules(model));
    }
    read
}

/// Returns the files of all modules, including the root.
fn modules(model: &ModelInput) -> Vec<(&'static str, PathBuf)> {
    let (ahead, library, beside) = (model.ahead.clone(), model.libraries.clone(), model.beside.clone());
    let options = LoadOptions { ahead, library, beside };
    // The run itself reports their errors.
    let sources = match composition::reference(&model.spec) {
        None => sema::load(&model.spec, &options, &DiskFiles).spec.sources,
        Some((file, name)) => composition::read(&file, &name, (&options, &[])).spec.sources,
    };
    let files = sources.ids().map(|id| sources.file(id)).filter(|file| file.is_file());
    files.map(|file| ("a module of the specification", PathBuf::from(file.name()))).collect()
}

/// Returns an error if two outputs of a run are one file, or if an output is also an input.
pub fn clash(written: &[(&str, impl AsRef<Path>)], read: &[(&str, impl AsRef<Path>)]) -> Option<Diagnostic> {
    for (at, (name, path)) in written.iter().enumerate() {
        let (path, file) = (path.as_ref().display(), Identity::of(path.as_ref()));
        let is_it = |known: &Path| Identity::of(known) == file;
        if let Some((other, _)) = written[..at].iter().find(|(_, known)| is_it(known.as_ref())) {
            return Some(usage_error(format!("`{other}` and `{name}` both write `{path}`")));
        }
        if let Some((what, _)) = read.iter().find(|(_, known)| is_it(known.as_ref())) {
            return Some(usage_error(format!("`{name}` would write over {what}, `{path}`")));
        }
    }
    None
}

fn usage_error(headline: String) -> Diagnostic {
    Diagnostic::without_place(Code::OutputTwice, headline).help("give each a file of its own")
}

/// The file that a path means.
#[derive(PartialEq, Eq)]
enum Identity {
    /// A file that exists, by device and inode: it may have several names.
    There(u64, u64),
    NotYet(PathBuf),
}

impl Identity {
    fn of(path: &Path) -> Identity {
        match path.metadata() {
            Ok(found) => Identity::There(found.dev(), found.ino()),
            Err(_) => Identity::NotYet(in_its_folder(path)),
        }
    }
}

/// Returns the path in the canonical form of its folder, however that is written.
fn in_its_folder(path: &Path) -> PathBuf {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    match (folder.canonicalize(), path.file_name()) {
        (Ok(folder), Some(name)) => folder.join(name),
        (Ok(_) | Err(_), _) => path.to_owned(),
    }
}
