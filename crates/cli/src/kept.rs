//! `--trace`, `--trace-tlc` and `--trace-html`: where a counterexample is kept.

use std::io;
use std::path::Path;

use clap::CommandFactory;
use clap::error::ErrorKind;
use diag::{Diagnostic, SourceMap};
use trace::diagram::Wishes;
use trace::{Trace, TracePage};

use crate::args::{Cli, KeptTraceArgs, ModelArgs};
use crate::check::{Outcome, cannot_write, trace_of};
use crate::console::{Console, Stream};
use crate::exit::Ending;
use crate::{outputs, project};

/// Writes what a run finds where it is to be kept.
pub struct Keeper<'a> {
    args: &'a KeptTraceArgs,
    model: &'a ModelArgs,
    wishes: Wishes,
}

impl<'a> Keeper<'a> {
    /// What can be known before a long search about files that cannot be written after it is told, and ends the run.
    pub fn new(
        args: &'a KeptTraceArgs,
        model: &'a ModelArgs,
        settings: Option<&Path>,
        console: &Console,
    ) -> io::Result<Result<Keeper<'a>, Ending>> {
        let written = args.files();
        if outputs::clashing(&written, model, None, console)? {
            return Ok(Err(Ending::BadUsage));
        }
        if let Some(unwritable) = written.iter().find_map(|(_, path)| unwritable(path)) {
            console.draw(Stream::Err, &SourceMap::new(), &unwritable)?;
            return Ok(Err(Ending::Unreadable));
        }
        if args.trace_html.is_none() {
            return Ok(Ok(Keeper { args, model, wishes: Wishes::default() }));
        }
        let mut sources = SourceMap::new();
        match project::read(&model.spec, settings, &mut sources) {
            Ok(project) => Ok(Ok(Keeper { args, model, wishes: project.trace.into() })),
            Err(error) => {
                console.draw(Stream::Err, &sources, &error)?;
                Ok(Err(Ending::of(&error, false)))
            }
        }
    }

    /// What cannot be written is told, and changes nothing about the answer.
    pub fn keep(&self, outcome: &Outcome, console: &Console) -> io::Result<()> {
        match trace_of(outcome) {
            Some(found) => self.keep_trace(found, console),
            None => Ok(()),
        }
    }

    /// Likewise, for a trace that is at hand.
    pub fn keep_trace(&self, found: &Trace, console: &Console) -> io::Result<()> {
        let found = with_origin(self.model, found);
        if let Some(path) = &self.args.trace {
            write(path, &trace::itf::write(&found), console)?;
        }
        if let Some(path) = &self.args.trace_tlc {
            write(path, &trace::tlc_json::write(&found), console)?;
        }
        match &self.args.trace_html {
            Some(path) => write(path, &page(&found, &self.wishes), console),
            None => Ok(()),
        }
    }
}

impl KeptTraceArgs {
    /// Whether anything is to be kept, or evaluated.
    pub fn is_wanted(&self) -> bool {
        !self.files().is_empty() || !self.trace_expr.is_empty()
    }
}

/// That there is no trace to keep without an option.
pub fn needs(option: &str) -> clap::Error {
    let reason = format!("there is no trace to keep without {option}");
    Cli::command().error(ErrorKind::MissingRequiredArgument, reason)
}

fn write(path: &Path, text: &str, console: &Console) -> io::Result<()> {
    match std::fs::write(path, text) {
        Ok(()) => Ok(()),
        Err(error) => {
            let diagnostic =
                cannot_write(path, &error.to_string()).help("`--format json` has the trace, too");
            console.draw(Stream::Err, &SourceMap::new(), &diagnostic)
        }
    }
}

/// A trace as a page, with lanes where processes are known.
pub fn page(trace: &Trace, wishes: &Wishes) -> String {
    trace::html(&TracePage { trace, wishes, program: None, facts: &[] })
}

/// A trace with where it comes from.
pub fn with_origin(model: &ModelArgs, found: &Trace) -> Trace {
    let about = trace::About {
        spec: Some(model.spec.display().to_string()),
        config: model.config.as_ref().map(|path| path.display().to_string()),
        tool: Some(format!("specline {}", env!("CARGO_PKG_VERSION"))),
        notes: found.about.notes.clone(),
    };
    Trace { about, ..found.clone() }
}

/// What can be known before a long search about a file that cannot be written after it.
pub fn unwritable(path: &Path) -> Option<Diagnostic> {
    if path.is_dir() {
        return Some(cannot_write(path, "it is a folder"));
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty())?;
    (!folder.is_dir()).then(|| cannot_write(path, &format!("there is no folder `{}`", folder.display())))
}
