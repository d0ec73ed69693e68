//! Runs one case through the front end. Nothing else here knows what a module or a configuration is.

use std::panic::{self, AssertUnwindSafe};
use std::path::{Path, PathBuf};
use std::time::Duration;

use base::{Clock, Names, SystemClock};
use diag::{Diagnostics, SourceMap};
use sema::config::{self, ConfigInput};
use sema::{DiskFiles, LoadOptions};

use super::{Case, Subject};

/// The result of a case, and the time that it took.
#[derive(Debug)]
pub struct JudgedCase {
    pub outcome: Outcome,
    pub time: Duration,
}

#[derive(Debug)]
pub enum Outcome {
    Accepted,
    /// The errors, one line each.
    Rejected(Vec<String>),
    /// Our program panicked, which is a bug whatever was expected.
    Panicked(String),
}

pub fn judge(case: &Case, library: &[PathBuf]) -> JudgedCase {
    let clock = SystemClock::start();
    let caught = panic::catch_unwind(AssertUnwindSafe(|| errors(&case.subject, library)));
    let outcome = match caught {
        Ok(errors) if errors.is_empty() => Outcome::Accepted,
        Ok(errors) => Outcome::Rejected(errors),
        Err(payload) => {
            let text = payload.downcast_ref::<String>().cloned();
            let text = text.or_else(|| payload.downcast_ref::<&str>().map(|text| (*text).to_owned()));
            Outcome::Panicked(text.unwrap_or_else(|| "a panic without a message".to_owned()))
        }
    };
    JudgedCase { outcome, time: clock.elapsed() }
}

fn errors(subject: &Subject, library: &[PathBuf]) -> Vec<String> {
    match subject {
        Subject::Module(path) => {
            let loaded = load(path, library);
            error_lines(&loaded.diagnostics, &loaded.spec.sources)
        }
        Subject::Config { config, module } => config_errors(config, module, library),
        Subject::Syntax(text) => {
            let mut sources = SourceMap::new();
            let source = sources.add("text", text.as_str());
            let parsed = syntax::parse_file(source, text, &mut Names::new());
            error_lines(&parsed.diagnostics, &sources)
        }
    }
}

fn load(path: &Path, library: &[PathBuf]) -> sema::Loaded {
    sema::load(path, &LoadOptions { library: library.to_vec(), ..LoadOptions::default() }, &DiskFiles)
}

/// Returns the errors of a configuration, which must be readable and fit the module. Errors of the module itself are
/// reported where the module is judged.
fn config_errors(config: &Path, module: &Path, library: &[PathBuf]) -> Vec<String> {
    let text = match std::fs::read_to_string(config) {
        Ok(text) => text,
        Err(error) => return vec![error.to_string()],
    };
    let mut loaded = load(module, library);
    let source = loaded.spec.sources.add(config.display().to_string(), text.as_str());
    let parsed = syntax::cfg::parse_config(source, &text, &mut loaded.spec.names);
    let mut errors = error_lines(&parsed.diagnostics, &loaded.spec.sources);
    // If the module was not read, everything is missing, which is no news.
    if errors.is_empty() && loaded.is_ok() {
        let bound = config::bind(&loaded.spec, ConfigInput { source, tree: &parsed.tree });
        errors.extend(error_lines(&bound.diagnostics, &loaded.spec.sources));
    }
    errors
}

/// Formats errors as `SL0301 Spec.tla:3:5: unknown name`.
fn error_lines(diagnostics: &Diagnostics, sources: &SourceMap) -> Vec<String> {
    let errors = diagnostics.iter().filter(|diagnostic| diagnostic.is_error());
    let line = |diagnostic: &diag::Diagnostic| match &diagnostic.primary {
        Some(label) => {
            let position = sources.position(label.span);
            let file = sources.file(label.span.source).name();
            let (line, column) = (position.line, position.column);
            format!("{} {file}:{line}:{column}: {}", diagnostic.code, diagnostic.headline)
        }
        None => format!("{} {}", diagnostic.code, diagnostic.headline),
    };
    errors.map(line).collect()
}
