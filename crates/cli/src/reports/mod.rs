//! `--sarif`, `--junit` and `--github`: what a run found, for machines that run it. `docs/ci.md` is the user's copy.

pub mod audit;
pub mod search;

use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use base::{Clock, SystemClock};
use diag::{Diagnostic, SourceMap, render};
use report::findings::{Case, Finding, Outcome, github, junit, sarif};

use crate::args::ReportArgs;
use crate::check::cannot_write;
use crate::console::{Console, Stream};
use crate::exit::{Ending, Stop};
use crate::kept::unwritable;
use crate::outputs;

/// Collects what a run finds, and writes it where it is wanted.
pub struct Reports<'a> {
    args: &'a ReportArgs,
    /// The subject of the run: a file, most often.
    title: String,
    findings: Vec<Finding>,
    cases: Vec<Case>,
    clock: SystemClock,
    /// The time that is in the cases already.
    told: Duration,
}

impl<'a> Reports<'a> {
    /// Checks before a long run that every output file can be written; reports it and stops if one cannot.
    pub fn new(
        args: &'a ReportArgs,
        title: &Path,
        read: &[(&str, PathBuf)],
        console: &Console,
    ) -> Result<Reports<'a>, Stop> {
        if let Some(clash) = outputs::clash(&args.files(), read) {
            console.draw(Stream::Err, &SourceMap::new(), &clash)?;
            return Err(Ending::BadUsage.into());
        }
        if let Some(unwritable) = args.paths().find_map(|path| unwritable(path)) {
            console.draw(Stream::Err, &SourceMap::new(), &unwritable)?;
            return Err(Ending::Unreadable.into());
        }
        Ok(Reports {
            args,
            title: title.display().to_string(),
            findings: Vec::new(),
            cases: Vec::new(),
            clock: SystemClock::start(),
            told: Duration::ZERO,
        })
    }

    pub fn note<'d>(&mut self, sources: &SourceMap, diagnostics: impl IntoIterator<Item = &'d Diagnostic>) {
        self.findings.extend(diagnostics.into_iter().map(|diagnostic| Finding::of(sources, diagnostic)));
    }

    pub fn find(&mut self, finding: Finding) {
        self.findings.push(finding);
    }

    /// Adds a case. It took the time since the last case; of cases that end together, the first takes all of
    /// it.
    pub fn case(&mut self, name: impl Into<String>, outcome: Outcome) {
        let now = self.clock.elapsed();
        let millis = now.saturating_sub(self.told).as_millis() as u64;
        self.told = now;
        self.add(Case { name: name.into(), outcome, millis });
    }

    pub fn add(&mut self, case: Case) {
        self.cases.push(case);
    }

    /// Adds one case for all diagnostics about a file.
    pub fn file<'d>(
        &mut self,
        path: &Path,
        sources: &SourceMap,
        diagnostics: impl IntoIterator<Item = &'d Diagnostic> + Clone,
    ) {
        self.note(sources, diagnostics.clone());
        let errors: Vec<&Diagnostic> =
            diagnostics.into_iter().filter(|diagnostic| diagnostic.is_error()).collect();
        let outcome = match errors.first() {
            None => Outcome::Passed,
            Some(first) => Outcome::Failed {
                kind: first.code.id().to_owned(),
                message: first.headline.clone(),
                text: errors.iter().map(|error| draw(sources, error)).collect(),
            },
        };
        self.case(path.display().to_string(), outcome);
    }

    /// Writes what was collected. A report that cannot be written does not hide how the run ended.
    pub fn finish(mut self, ending: Ending, console: &Console) -> io::Result<Ending> {
        let is_bad = |case: &Case| matches!(case.outcome, Outcome::Failed { .. } | Outcome::Broken { .. });
        if ending != Ending::Ok && !self.cases.iter().any(is_bad) {
            // No case says why: warnings are denied, or it ended before it found out anything.
            let message = format!("it ended with the exit code {}", ending.number());
            let kind = "not-ok".to_owned();
            self.case("run", Outcome::Broken { kind, message, text: String::new() });
        }
        let run = sarif::Run { version: env!("CARGO_PKG_VERSION"), exit_code: ending.number() };
        let mut all_written = write(&self.args.sarif, || sarif::write(run, &self.findings), console)?;
        all_written &= write(&self.args.junit, || junit::write(&self.title, &self.cases), console)?;
        if self.args.github {
            console.write(Stream::Err, &github::annotations(&self.findings))?;
        }
        Ok(if all_written { ending } else { ending.max(Ending::Unreadable) })
    }
}

fn write(path: &Option<PathBuf>, text: impl FnOnce() -> String, console: &Console) -> io::Result<bool> {
    let Some(path) = path else { return Ok(true) };
    let Err(error) = std::fs::write(path, text()) else { return Ok(true) };
    console.draw(Stream::Err, &SourceMap::new(), &cannot_write(path, &error.to_string()))?;
    Ok(false)
}

/// A diagnostic with its source lines.
fn draw(sources: &SourceMap, diagnostic: &Diagnostic) -> String {
    format!("{}\n\n", render::text(sources, diagnostic, render::Colour::Plain))
}
