//! Verdicts of `parse` and `lint` on files: diagnostics, a verdict for each file, a summary of several.
//!
//! Standard output carries the answer: verdicts, and in JSON the diagnostics too. With `--emit` the answer
//! is what is emitted, and everything else goes to standard error.

use std::io;
use std::path::{Path, PathBuf};

use diag::render::{self, count, summary};
use diag::{Diagnostic, Diagnostics, SourceMap};
use sema::Spec;
use sema::spec::{DefId, DefKind};
use serde::Serialize;

use crate::args::{DenyArg, FormatArg, InputArgs, ReportArgs};
use crate::console::{Console, Stream};
use crate::exit::{Ending, Stop};
use crate::reports::Reports;

/// The files to read, and how to report on them.
#[derive(Debug)]
pub struct Input {
    pub files: Vec<PathBuf>,
    pub libraries: Vec<PathBuf>,
    pub format: FormatArg,
    pub deny_warnings: bool,
    pub reports: ReportArgs,
    /// Whether files without errors are passed over in silence.
    pub is_quiet: bool,
}

impl From<InputArgs> for Input {
    fn from(args: InputArgs) -> Self {
        Input {
            files: args.files,
            libraries: args.libraries,
            format: args.format,
            deny_warnings: args.deny == Some(DenyArg::Warnings),
            reports: args.reports,
            is_quiet: args.quiet.quiet,
        }
    }
}

/// Reports on one file after the other and remembers how the run ends.
pub struct Reporter<'a> {
    console: &'a Console,
    reports: Reports<'a>,
    /// The first failure to write, if there was one. It does not keep the rest from being read and reported.
    written: io::Result<()>,
    format: FormatArg,
    deny_warnings: bool,
    is_quiet: bool,
    /// Whether standard output belongs to what is emitted.
    emits: bool,
    ending: Ending,
    n_files: usize,
    n_files_ok: usize,
    n_errors: usize,
    n_warnings: usize,
}

/// The contents of a file without errors.
#[derive(Clone, Copy, Debug)]
pub struct Contents {
    pub n_modules: usize,
    pub n_definitions: usize,
}

impl Contents {
    /// The user's own modules and what they define at their top level.
    pub fn of(spec: &Spec) -> Self {
        let own = spec.modules.iter().filter(|module| !module.embedded);
        let is_counted = |&&def: &&DefId| match spec.defs[def].kind {
            DefKind::Operator | DefKind::Function => true,
            DefKind::Let
            | DefKind::Assumption
            | DefKind::Theorem
            | DefKind::ProofStep
            | DefKind::Subexpression => false,
        };
        Contents {
            n_modules: own.clone().count(),
            n_definitions: own.map(|module| module.defs.iter().filter(is_counted).count()).sum(),
        }
    }

    /// Returns the verdict on a file with these contents and these diagnostics.
    pub fn verdict(self, diagnostics: &Diagnostics) -> String {
        let n_errors = diagnostics.n_errors();
        Verdict { n_errors, n_warnings: diagnostics.len() - n_errors, contents: self }.text()
    }
}

impl<'a> Reporter<'a> {
    /// Checks that every report can be written; reports it and stops if one cannot.
    pub fn new(console: &'a Console, input: &'a Input, emits: bool) -> Result<Self, Stop> {
        let title = match input.files.as_slice() {
            [file] => file.as_path(),
            _ => Path::new("specline"),
        };
        let read: Vec<(&str, PathBuf)> =
            input.files.iter().map(|file| ("a specification", file.clone())).collect();
        let reports = Reports::new(&input.reports, title, &read, console)?;
        Ok(Reporter {
            console,
            written: Ok(()),
            reports,
            format: input.format,
            deny_warnings: input.deny_warnings,
            is_quiet: input.is_quiet,
            emits,
            ending: Ending::Ok,
            n_files: 0,
            n_files_ok: 0,
            n_errors: 0,
            n_warnings: 0,
        })
    }

    /// The diagnostics of one file, in the order of the text, and then its verdict.
    pub fn file(&mut self, path: &Path, sources: &SourceMap, diagnostics: Diagnostics, contents: Contents) {
        let n_errors = diagnostics.n_errors();
        let n_warnings = diagnostics.len() - n_errors;
        let mut items: Vec<Diagnostic> = diagnostics.into_iter().collect();
        items.sort_by_key(|diagnostic| diagnostic.primary.as_ref().map(|label| label.span));
        self.reports.file(path, sources, &items);
        for diagnostic in &items {
            self.ending = self.ending.max(Ending::of(diagnostic, self.deny_warnings));
        }
        self.n_files += 1;
        self.n_files_ok += usize::from(n_errors == 0);
        self.n_errors += n_errors;
        self.n_warnings += n_warnings;
        let verdict = Verdict { n_errors, n_warnings, contents };
        if self.written.is_ok() {
            self.written = self.tell(sources, &items, (path, verdict));
        }
    }

    fn tell(
        &self,
        sources: &SourceMap,
        items: &[Diagnostic],
        (path, verdict): (&Path, Verdict),
    ) -> io::Result<()> {
        items.iter().try_for_each(|diagnostic| self.diagnostic(sources, diagnostic))?;
        match self.is_quiet && self.format != FormatArg::Json && verdict.n_errors == 0 {
            true => Ok(()),
            false => self.verdict(path, verdict),
        }
    }

    /// Writes what was asked for with `--emit`.
    pub fn emit(&self, text: &str) -> io::Result<()> {
        self.console.write(Stream::Out, text)
    }

    /// Writes a summary if there were several files, and returns how the run ended.
    pub fn finish(self) -> io::Result<Ending> {
        if self.n_files > 1 && self.format != FormatArg::Json && !self.is_quiet {
            let problems = summary(self.n_errors, self.n_warnings);
            let files = format!("{} of {} ok", self.n_files_ok, count(self.n_files, "file"));
            self.console.line(Stream::Err, &format!("{files}: {problems}"))?;
        }
        let ending = self.reports.finish(self.ending, self.console)?;
        read_to_the_end(self.written, ending)
    }

    fn diagnostic(&self, sources: &SourceMap, diagnostic: &Diagnostic) -> io::Result<()> {
        match self.format {
            FormatArg::Text => self.console.draw(Stream::Err, sources, diagnostic),
            FormatArg::Concise => self.console.line(Stream::Err, &render::concise(sources, diagnostic)),
            FormatArg::Json => self.console.line(self.answers(), &render::json(sources, diagnostic)),
        }
    }

    fn verdict(&self, path: &Path, verdict: Verdict) -> io::Result<()> {
        let name = path.display().to_string();
        match self.format {
            FormatArg::Text | FormatArg::Concise => {
                let line = format!("{}: {}", render::printable(&name), verdict.text());
                self.console.line(self.answers(), &line)
            }
            FormatArg::Json => self.console.line(self.answers(), &verdict.json(&name)),
        }
    }

    /// Returns the stream for verdicts.
    fn answers(&self) -> Stream {
        if self.emits { Stream::Err } else { Stream::Out }
    }
}

/// Returns the ending, or the error with which the answer could not be written. A closed reader is no error.
pub fn read_to_the_end(written: io::Result<()>, ending: Ending) -> io::Result<Ending> {
    match written {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(error),
        Ok(()) | Err(_) => Ok(ending),
    }
}

#[derive(Clone, Copy)]
struct Verdict {
    n_errors: usize,
    n_warnings: usize,
    contents: Contents,
}

impl Verdict {
    fn text(self) -> String {
        let Contents { n_modules, n_definitions } = self.contents;
        let contents = format!("{}, {}", count(n_modules, "module"), count(n_definitions, "definition"));
        match (self.n_errors, self.n_warnings) {
            (0, 0) => format!("ok ({contents})"),
            (0, n_warnings) => format!("ok, with {} ({contents})", count(n_warnings, "warning")),
            (n_errors, n_warnings) => summary(n_errors, n_warnings),
        }
    }

    fn json(self, file: &str) -> String {
        let ok = self.n_errors == 0;
        let object = JsonVerdict {
            kind: "verdict",
            file,
            ok,
            errors: self.n_errors,
            warnings: self.n_warnings,
            modules: ok.then_some(self.contents.n_modules),
            definitions: ok.then_some(self.contents.n_definitions),
        };
        serde_json::to_string(&object).expect("strings and numbers always have a JSON form")
    }
}

#[derive(Serialize)]
struct JsonVerdict<'a> {
    kind: &'static str,
    file: &'a str,
    ok: bool,
    errors: usize,
    warnings: usize,
    modules: Option<usize>,
    definitions: Option<usize>,
}
