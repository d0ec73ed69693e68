//! Files that a run writes: no two of them are the same, and none is one that it reads.

use std::io;
use std::path::{Path, PathBuf};

use diag::{Code, Diagnostic, SourceMap};

use crate::args::{CoverageArgs, KeptTraceArgs, ModelArgs, ReportArgs};
use crate::config::config_of;
use crate::console::{Console, Stream};

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
    let mut read = read(model);
    read.extend(load.map(|path| ("the trace", path.to_owned())));
    match clash(written, &read) {
        Some(twice) => console.draw(Stream::Err, &SourceMap::new(), &twice).map(|()| true),
        None => Ok(false),
    }
}

/// The files that a model is read from.
pub fn read(model: &ModelArgs) -> Vec<(&'static str, PathBuf)> {
    let config = config_of(&model.spec, model.config.as_deref());
    let spec = ("the specification", model.spec.clone());
    [spec].into_iter().chain(config.map(|path| ("the configuration", path))).collect()
}

/// Two of the files that a run writes that are one, or one that it also reads.
pub fn clash(written: &[(&str, impl AsRef<Path>)], read: &[(&str, impl AsRef<Path>)]) -> Option<Diagnostic> {
    for (at, (name, path)) in written.iter().enumerate() {
        let (path, file) = (path.as_ref().display(), resolved(path.as_ref()));
        let is_it = |known: &Path| resolved(known) == file;
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

/// The file itself, links followed; of one that is not there yet, its folder.
fn resolved(path: &Path) -> PathBuf {
    if let Ok(found) = path.canonicalize() {
        return found;
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    match (folder.canonicalize(), path.file_name()) {
        (Ok(folder), Some(name)) => folder.join(name),
        (Ok(_) | Err(_), _) => path.to_owned(),
    }
}
