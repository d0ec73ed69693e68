//! Files that a run writes: no two of them are the same, and none is one that it reads.

use std::io;
use std::path::{Path, PathBuf};

use diag::SourceMap;
use setup::ModelInput;

use crate::args::{CoverageArgs, KeptTraceArgs, ReportArgs};
use crate::console::{Console, Stream};
use crate::exit::{Ending, Stop};
use crate::kept::unwritable;

pub use setup::outputs::{clash, read};

/// All files that a command writes, by the options that name them.
pub type OutputFiles<'a> = Vec<(&'static str, &'a Path)>;

impl KeptTraceArgs {
    pub fn files(&self) -> OutputFiles<'_> {
        with_names([
            ("--trace", &self.trace),
            ("--trace-tlc", &self.trace_tlc),
            ("--trace-html", &self.trace_html),
        ])
    }
}

impl CoverageArgs {
    pub fn files(&self) -> OutputFiles<'_> {
        with_names([
            ("--coverage-html", &self.coverage_html),
            ("--coverage-lcov", &self.coverage_lcov),
            ("--coverage-cobertura", &self.coverage_cobertura),
        ])
    }
}

impl ReportArgs {
    pub fn files(&self) -> OutputFiles<'_> {
        with_names([("--sarif", &self.sarif), ("--junit", &self.junit)])
    }
}

fn with_names<'a, const N: usize>(options: [(&'static str, &'a Option<PathBuf>); N]) -> OutputFiles<'a> {
    options.into_iter().filter_map(|(name, path)| Some((name, path.as_deref()?))).collect()
}

/// Reports two outputs that are one file, or an output that is also an input. Returns whether there is such a
/// clash.
pub fn clashing(
    written: &OutputFiles<'_>,
    model: &ModelInput,
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

/// Checks before a run that its files can be written: that no two of them are one, that none would be written over
/// something that is read, the model's files or `more`, and that each can be there. Reports it and stops if not.
pub fn check(
    written: &[(&'static str, impl AsRef<Path>)],
    (model, more): (&ModelInput, &[(&'static str, PathBuf)]),
    console: &Console,
) -> Result<(), Stop> {
    let mut known = read(model, written);
    known.extend(more.iter().cloned());
    let (trouble, ending) = match clash(written, &known) {
        Some(twice) => (Some(twice), Ending::BadUsage),
        None => (written.iter().find_map(|(_, path)| unwritable(path.as_ref())), Ending::Unreadable),
    };
    let Some(trouble) = trouble else { return Ok(()) };
    console.draw(Stream::Err, &SourceMap::new(), &trouble)?;
    Err(ending.into())
}
