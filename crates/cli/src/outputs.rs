//! Files that a run writes: no two of them are the same, and none is one that it reads.

use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use diag::{Code, Diagnostic, SourceMap};
use sema::{DiskFiles, LoadOptions};

use crate::args::{CoverageArgs, KeptTraceArgs, ModelArgs, ReportArgs};
use crate::config::config_of;
use crate::console::{Console, Stream};
use crate::exit::Ending;
use crate::kept::unwritable;

/// All files that a command writes, by the options that name them.
pub type Written<'a> = Vec<(&'static str, &'a Path)>;

impl KeptTraceArgs {
    pub fn files(&self) -> Written<'_> {
        named([
            ("--trace", &self.trace),
            ("--trace-tlc", &self.trace_tlc),
            ("--trace-html", &self.trace_html),
        ])
    }
}

impl CoverageArgs {
    pub fn files(&self) -> Written<'_> {
        named([
            ("--coverage-html", &self.coverage_html),
            ("--coverage-lcov", &self.coverage_lcov),
            ("--coverage-cobertura", &self.coverage_cobertura),
        ])
    }
}

impl ReportArgs {
    pub fn files(&self) -> Written<'_> {
        named([("--sarif", &self.sarif), ("--junit", &self.junit)])
    }
}

fn named<'a, const N: usize>(options: [(&'static str, &'a Option<PathBuf>); N]) -> Written<'a> {
    options.into_iter().filter_map(|(name, path)| Some((name, path.as_deref()?))).collect()
}

/// Tells that two files that a run writes are one, or that it would write over one that it reads; whether that is so.
pub fn clashing(
    written: &Written<'_>,
    model: &ModelArgs,
    load: Option<&Path>,
    console: &Console,
) -> io::Result<bool> {
    let mut read = read(model, written);
    read.extend(load.map(|path| ("the trace", path.to_owned())));
    match clash(written, &read) {
        Some(twice) => console.draw(Stream::Err, &SourceMap::new(), &twice).map(|()| true),
        None => Ok(false),
    }
}

/// Whether files that a run is to write are refused before it begins, and how it ends then: because two of them are one,
/// because one would be written over something that is read, the model's files or `more`, or because one cannot be there.
pub fn refused(
    written: &[(&'static str, impl AsRef<Path>)],
    (model, more): (&ModelArgs, &[(&'static str, PathBuf)]),
    console: &Console,
) -> io::Result<Option<Ending>> {
    let mut known = read(model, written);
    known.extend(more.iter().cloned());
    let (trouble, ending) = match clash(written, &known) {
        Some(twice) => (Some(twice), Ending::BadUsage),
        None => (written.iter().find_map(|(_, path)| unwritable(path.as_ref())), Ending::Unreadable),
    };
    let Some(trouble) = trouble else { return Ok(None) };
    console.draw(Stream::Err, &SourceMap::new(), &trouble)?;
    Ok(Some(ending))
}

/// The files that a model is read from: the modules that its root names too, where one of them could be written over.
pub fn read(model: &ModelArgs, written: &[(&str, impl AsRef<Path>)]) -> Vec<(&'static str, PathBuf)> {
    let config = config_of(&model.spec, model.config.as_deref());
    let spec = ("the specification", model.spec.clone());
    let mut read: Vec<_> = [spec].into_iter().chain(config.map(|path| ("the configuration", path))).collect();
    if written.iter().any(|(_, path)| path.as_ref().exists()) {
        read.extend(modules(model));
    }
    read
}

/// All modules that come from files, the root among them.
fn modules(model: &ModelArgs) -> Vec<(&'static str, PathBuf)> {
    let (ahead, library, beside) = (model.ahead.clone(), model.libraries.clone(), model.beside.clone());
    let options = LoadOptions { ahead, library, beside };
    // What is wrong with them is told by the run itself.
    let sources = sema::load(&model.spec, &options, &DiskFiles).spec.sources;
    let files = sources.ids().map(|id| sources.file(id)).filter(|file| file.is_file());
    files.map(|file| ("a module of the specification", PathBuf::from(file.name()))).collect()
}

/// Two of the files that a run writes that are one, or one that it also reads.
pub fn clash(written: &[(&str, impl AsRef<Path>)], read: &[(&str, impl AsRef<Path>)]) -> Option<Diagnostic> {
    for (at, (name, path)) in written.iter().enumerate() {
        let (path, file) = (path.as_ref().display(), Identity::of(path.as_ref()));
        let is_it = |known: &Path| Identity::of(known) == file;
        if let Some((other, _)) = written[..at].iter().find(|(_, known)| is_it(known.as_ref())) {
            return Some(told(format!("`{other}` and `{name}` both write `{path}`")));
        }
        if let Some((what, _)) = read.iter().find(|(_, known)| is_it(known.as_ref())) {
            return Some(told(format!("`{name}` would write over {what}, `{path}`")));
        }
    }
    None
}

fn told(headline: String) -> Diagnostic {
    Diagnostic::without_place(Code::OutputTwice, headline).help("give each a file of its own")
}

/// Which file a path means.
#[derive(PartialEq, Eq)]
enum Identity {
    /// One that is there, by device and number: it may have several names.
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

/// The same for every way to write the folder.
fn in_its_folder(path: &Path) -> PathBuf {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    match (folder.canonicalize(), path.file_name()) {
        (Ok(folder), Some(name)) => folder.join(name),
        (Ok(_) | Err(_), _) => path.to_owned(),
    }
}
