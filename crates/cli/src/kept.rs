//! `--trace`, `--trace-tlc` and `--trace-html`: where a counterexample is kept.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use clap::CommandFactory;
use clap::error::ErrorKind;
use diag::{Code, Diagnostic, SourceMap, render};
use model::Outcome;
use setup::{ModelInput, trace_of};
use trace::diagram::Wishes;
use trace::{Trace, TracePage};

use crate::args::KeptTraceArgs;
use crate::check::cannot_write;
use crate::commands::Cli;
use crate::console::{Console, Stream};
use crate::exit::{Ending, Stop};
use crate::{outputs, project};

/// Writes what a run finds where it is to be kept.
pub struct Keeper<'a> {
    args: &'a KeptTraceArgs,
    model: &'a ModelInput,
    wishes: Wishes,
}

impl<'a> Keeper<'a> {
    /// Checks before a long run that every output file can be written; reports it and stops if one cannot.
    pub fn new(
        args: &'a KeptTraceArgs,
        model: &'a ModelInput,
        settings: Option<&Path>,
        console: &Console,
    ) -> Result<Keeper<'a>, Stop> {
        let written = args.files();
        if outputs::clashing(&written, model, None, console)? {
            return Err(Ending::BadUsage.into());
        }
        if let Some(unwritable) = written.iter().find_map(|(_, path)| unwritable(path)) {
            console.draw(Stream::Err, &SourceMap::new(), &unwritable)?;
            return Err(Ending::Unreadable.into());
        }
        if args.trace_html.is_none() {
            return Ok(Keeper { args, model, wishes: Wishes::default() });
        }
        let mut sources = SourceMap::new();
        let read = project::read(&model.spec, settings, &mut sources);
        let project = read.map_err(|error| console.refuse(&sources, &error))?;
        Ok(Keeper { args, model, wishes: project.trace.into() })
    }

    /// Keeps the trace of an outcome. A file that cannot be written is reported, and changes nothing about the answer.
    pub fn keep(&self, outcome: &Outcome, console: &Console) -> io::Result<()> {
        match trace_of(outcome) {
            Some(found) => self.keep_trace(found, console),
            None => Ok(()),
        }
    }

    /// Writes a trace to the files that were asked for. A file that cannot be written is reported, and does
    /// not change the answer.
    pub fn keep_trace(&self, found: &Trace, console: &Console) -> io::Result<()> {
        let found = with_origin(self.model, found);
        if let Some(path) = &self.args.trace {
            write(path, console, |file| trace::itf::write_to(&found, file))?;
        }
        if let Some(path) = &self.args.trace_tlc {
            write(path, console, |file| trace::tlc_json::write_to(&found, file))?;
        }
        match &self.args.trace_html {
            Some(path) => write(path, console, |file| file.write_all(page(&found, &self.wishes).as_bytes())),
            None => Ok(()),
        }
    }

    /// Keeps the last states of a behaviour, and reports that `n_before` states before them are left out for want of memory.
    pub fn keep_last_states(&self, found: &Trace, n_before: usize, console: &Console) -> io::Result<()> {
        let files = self.args.files();
        if n_before == 0 || files.is_empty() {
            return self.keep_trace(found, console);
        }
        let mut found = found.clone();
        found.about.notes.push(("left out".to_owned(), format!("{n_before} states before the first one")));
        self.keep_trace(&found, console)?;
        let names: Vec<String> = files.iter().map(|(_, path)| format!("`{}`", path.display())).collect();
        let states = render::count(n_before, "state");
        let headline = format!("{} begins after {states} that are left out", names.join(", "));
        let warning = Diagnostic::without_place(Code::TraceCut, headline)
            .note("the whole behaviour takes more memory than a run may spend on it")
            .help("give more with `--memory`, or validate the log without keeping the behaviour");
        console.draw(Stream::Err, &SourceMap::new(), &warning)
    }
}

impl KeptTraceArgs {
    /// Whether anything is to be kept, or evaluated.
    pub fn is_wanted(&self) -> bool {
        !self.files().is_empty() || !self.trace_expr.is_empty()
    }
}

/// Makes the error for an option that needs a trace where none is kept.
pub fn needs(option: &str) -> clap::Error {
    let reason = format!("there is no trace to keep without {option}");
    Cli::command().error(ErrorKind::MissingRequiredArgument, reason)
}

fn write(
    path: &Path,
    console: &Console,
    text: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    let written = File::create(path).and_then(|file| {
        let mut file = BufWriter::new(file);
        text(&mut file)?;
        file.flush()
    });
    match written {
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
pub fn with_origin(model: &ModelInput, found: &Trace) -> Trace {
    let about = trace::About {
        spec: Some(model.spec.display().to_string()),
        config: model.config.as_ref().map(|path| path.display().to_string()),
        tool: Some(format!("specline {}", env!("CARGO_PKG_VERSION"))),
        notes: found.about.notes.clone(),
    };
    Trace { about, ..found.clone() }
}

/// Checks before a long search that a file can be written after it; returns the error if not.
pub fn unwritable(path: &Path) -> Option<Diagnostic> {
    if path.is_dir() {
        return Some(cannot_write(path, "it is a folder"));
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty())?;
    (!folder.is_dir()).then(|| cannot_write(path, &format!("there is no folder `{}`", folder.display())))
}
