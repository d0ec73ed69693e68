//! Finds modules: beside the root file, on the library paths, among the embedded ones.

use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use base::Names;
use diag::{Code, Diagnostic, Diagnostics, SourceId, SourceMap, Span};
use syntax::ast;
use syntax::decode::NotUtf8;

use crate::embedded;

/// Access to files, so that tests and embedders can bring their own.
pub trait FileSystem {
    fn read(&self, path: &Path) -> io::Result<Vec<u8>>;
    /// Whether something exists there, readable or not.
    fn exists(&self, path: &Path) -> bool;
    /// Returns the `.tla` files of a folder, for suggestions. Empty when it cannot be listed.
    fn modules_in(&self, folder: &Path) -> Vec<PathBuf>;
}

/// Size of the largest file that is read.
const FILE_BYTES_MAX: usize = 1 << 30;
/// Size limit on neighbouring files that are searched for a suggestion.
const NEIGHBOUR_BYTES_MAX: u64 = 1 << 20;

/// The machine's files.
#[derive(Debug, Clone, Copy, Default)]
pub struct DiskFiles;

impl FileSystem for DiskFiles {
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        let file = std::fs::File::open(path)?;
        let mut bytes = Vec::new();
        // A device has no size and no end, so stop right after the limit.
        file.take(FILE_BYTES_MAX as u64 + 1).read_to_end(&mut bytes)?;
        Ok(bytes)
    }

    fn exists(&self, path: &Path) -> bool {
        path.symlink_metadata().is_ok()
    }

    fn modules_in(&self, folder: &Path) -> Vec<PathBuf> {
        let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
        let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
        let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
        paths.retain(|path| path.extension().is_some_and(|extension| extension == "tla"));
        let is_small = |path: &PathBuf| path.metadata().is_ok_and(|data| data.len() <= NEIGHBOUR_BYTES_MAX);
        paths.retain(is_small);
        paths.sort();
        paths
    }
}

/// The places where modules are looked for, besides the folder of the root file.
#[derive(Debug, Clone, Default)]
pub struct LoadOptions {
    /// Folders that are searched before the folder of the root file.
    pub ahead: Vec<PathBuf>,
    /// Folders that are searched after it.
    pub library: Vec<PathBuf>,
    /// Modules that are loaded after the root although it does not name them.
    pub beside: Vec<String>,
}

/// A module's text, parsed.
pub(crate) struct LoadedFile {
    pub(crate) file: ast::File,
    pub(crate) embedded: bool,
}

/// The reason why a module could not be loaded.
pub(crate) enum LoadError {
    /// No such file anywhere. Holds the places that were tried.
    NotFound { tried: Vec<PathBuf> },
    /// The file exists but cannot be read as text.
    Unreadable(Box<Diagnostic>),
}

/// Reads and parses module files.
pub(crate) struct Loader<'a> {
    files: &'a dyn FileSystem,
    /// The folders ahead, the folder of the root file, then the library paths; each once.
    folders: Vec<PathBuf>,
}

impl<'a> Loader<'a> {
    pub(crate) fn new(files: &'a dyn FileSystem, root: &Path, options: &LoadOptions) -> Self {
        let beside = root.parent().map(Path::to_path_buf).unwrap_or_default();
        let mut folders: Vec<PathBuf> = Vec::new();
        for folder in options.ahead.iter().chain([&beside]).chain(&options.library) {
            if !folders.contains(folder) {
                folders.push(folder.clone());
            }
        }
        Loader { files, folders }
    }

    /// Reads the text of `path`, or returns the reason why there is none.
    pub(crate) fn read(&self, path: &Path, sources: &mut SourceMap) -> Result<SourceId, Box<Diagnostic>> {
        let bytes = self.files.read(path).map_err(|error| Box::new(cannot_read(path, &error)))?;
        let name = path.display().to_string();
        if bytes.len() > FILE_BYTES_MAX.min(SourceMap::MAX_BYTES) {
            let headline = format!("`{name}` is larger than 1 GiB");
            return Err(Box::new(Diagnostic::without_place(Code::TooLarge, headline)));
        }
        match syntax::decode::module_text(bytes) {
            Ok(text) => Ok(sources.add(name, text)),
            Err(NotUtf8 { good }) => Err(Box::new(not_utf8(&name, good, sources))),
        }
    }

    /// Returns the text of `path`, if it has at most `n_bytes_max` bytes.
    pub(crate) fn small_text(&self, path: &Path, n_bytes_max: usize) -> Option<String> {
        let bytes = self.files.read(path).ok().filter(|bytes| bytes.len() <= n_bytes_max)?;
        String::from_utf8(bytes).ok()
    }

    /// Looks for the file of module `name` and parses it.
    pub(crate) fn load(
        &self,
        name: &str,
        sources: &mut SourceMap,
        names: &mut Names,
    ) -> Result<(LoadedFile, Diagnostics), LoadError> {
        let mut tried = Vec::new();
        for folder in &self.folders {
            let path = folder.join(format!("{name}.tla"));
            if !self.files.exists(&path) {
                tried.push(path);
                continue;
            }
            let source = self.read(&path, sources).map_err(LoadError::Unreadable)?;
            return Ok(parse(source, false, sources, names));
        }
        match embedded::source(name) {
            Some(text) => {
                let source = sources.add_text(format!("<embedded>/{name}.tla"), text);
                Ok(parse(source, true, sources, names))
            }
            None => Err(LoadError::NotFound { tried }),
        }
    }

    /// Returns a folder near the searched ones that has the file of module `name`: above them, where a model of the
    /// Toolbox has its modules, or one with the name of the module.
    pub(crate) fn folder_nearby(&self, name: &str) -> Option<PathBuf> {
        let file = format!("{name}.tla");
        let near = self.folders.iter().flat_map(|folder| {
            let above = folder_above(folder);
            let further = folder_above(&above);
            [PathBuf::from("."), folder.join(name), above.join(name), above, further]
        });
        near.into_iter().find(|folder| self.files.exists(&folder.join(&file)))
    }

    /// Returns the other `.tla` files that could be meant, for suggestions.
    pub(crate) fn siblings(&self) -> Vec<PathBuf> {
        self.folders.iter().flat_map(|folder| self.files.modules_in(folder)).collect()
    }
}

/// Returns the folder around a folder, by its name where that is enough.
fn folder_above(folder: &Path) -> PathBuf {
    match (folder.file_name(), folder.parent()) {
        (Some(_), Some(parent)) if parent.as_os_str().is_empty() => PathBuf::from("."),
        (Some(_), Some(parent)) => parent.to_path_buf(),
        (Some(_), None) | (None, _) => folder.join(".."),
    }
}

/// Parses a text that is already in the source map.
pub(crate) fn parse(
    source: SourceId,
    embedded: bool,
    sources: &SourceMap,
    names: &mut Names,
) -> (LoadedFile, Diagnostics) {
    let text = sources.file(source).text().clone();
    let parsed = syntax::parse_file(source, &text, names);
    (LoadedFile { file: parsed.tree, embedded }, parsed.diagnostics)
}

fn cannot_read(path: &Path, error: &io::Error) -> Diagnostic {
    let headline = format!("cannot read `{}`: {error}", path.display());
    Diagnostic::without_place(Code::CannotRead, headline)
}

/// Reports bytes that are not UTF-8. The text up to the first bad byte is kept, so that the message can point there.
fn not_utf8(name: &str, good: String, sources: &mut SourceMap) -> Diagnostic {
    let end = good.len();
    let source = sources.add(name, good);
    let headline = format!("`{name}` is not UTF-8: byte {end} does not start a character");
    Diagnostic::new(Code::NotUtf8, Span::new(source, end..end), headline)
        .label("the text up to here is valid")
        .help("save the file as UTF-8")
}
