//! `specline lint`: what is legal but probably not meant, in specifications and their configurations.

use std::io;
use std::path::PathBuf;

use diag::Diagnostics;
use sema::config::ConfigInput;
use sema::{Loaded, Spec};

use crate::config::{config_of, read_config};
use crate::console::Console;
use crate::exit::Ending;
use crate::parse;
use crate::settings::LintJob;
use crate::verdicts::{Contents, Reporter};

pub fn run(job: &LintJob, console: &Console) -> io::Result<Ending> {
    let mut reporter = match Reporter::new(console, &job.input, false)? {
        Ok(reporter) => reporter,
        Err(ending) => return Ok(ending),
    };
    for path in &job.input.files {
        let Loaded { mut spec, mut diagnostics } = parse::load(path, &job.input);
        if !diagnostics.has_errors() {
            diagnostics.extend(lint(&mut spec, config_of(path, job.config.as_deref())));
        }
        reporter.file(path, &spec.sources, diagnostics, Contents::of(&spec));
    }
    reporter.finish()
}

/// Lints a specification without errors. A configuration that cannot be read is reported in place of the
/// lints: which definitions are used depends on it.
fn lint(spec: &mut Spec, config: Option<PathBuf>) -> Diagnostics {
    let Some(path) = config else { return sema::lint::lint(spec, None) };
    match read_config(spec, &path) {
        Ok((source, tree)) => sema::lint::lint(spec, Some(ConfigInput { source, tree: &tree })),
        Err(diagnostics) => diagnostics,
    }
}
