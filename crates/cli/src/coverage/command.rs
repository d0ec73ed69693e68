//! `specline coverage`: what a run has counted and written as JSON, in another form.

use std::borrow::Cow;
use std::io;
use std::path::Path;

use diag::{Code, Diagnostic, SourceMap};
use report::coverage::{About, Report, html};
use serde::Deserialize;
use serde::de::IgnoredAny;
use setup::files::read_text;

use super::RunEnding;
use super::text::text;
use crate::check::cannot_write;
use crate::console::{Console, Stream};
use crate::coverage::args::{CoverageCommand, CoverageFormatArg, CoverageHtmlArgs, CoverageShowArgs};
use crate::exit::Ending;
use crate::outputs;
use crate::trace::with_html_ending;

pub fn run(command: &CoverageCommand, console: &Console) -> io::Result<Ending> {
    match command {
        CoverageCommand::Show(args) => show(args, console),
        CoverageCommand::Html(args) => page(args, console),
    }
}

fn show(args: &CoverageShowArgs, console: &Console) -> io::Result<Ending> {
    let mut sources = SourceMap::new();
    let reports = match read(&args.file, &mut sources) {
        Ok(Counted { reports, .. }) => reports,
        Err(error) => return refuse(&sources, &error, console),
    };
    let all = together(&reports);
    let text = match args.format {
        CoverageFormatArg::Text => text(&all),
        CoverageFormatArg::Lcov => report::coverage::lcov(&all),
        CoverageFormatArg::Cobertura => report::coverage::cobertura(&all),
    };
    console.write(Stream::Out, &text)?;
    Ok(Ending::Ok)
}

fn page(args: &CoverageHtmlArgs, console: &Console) -> io::Result<Ending> {
    let mut sources = SourceMap::new();
    let Counted { reports, answer } = match read(&args.file, &mut sources) {
        Ok(counted) => counted,
        Err(error) => return refuse(&sources, &error, console),
    };
    let out = args.out.clone().unwrap_or_else(|| with_html_ending(&args.file));
    let RunEnding { text: ending, is_complete } = RunEnding::of_json(answer.as_ref());
    let spec = reports.iter().flat_map(|report| &report.sources).next();
    let about = About {
        spec: spec.map_or_else(String::new, |source| source.file.clone()),
        origin: args.file.display().to_string(),
        ending,
        is_complete,
    };
    if let Some(over) = outputs::clash(&[("--out", &out)], &[("what was counted", &args.file)]) {
        refuse(&sources, &over, console)?;
        return Ok(Ending::BadUsage);
    }
    if let Err(error) = std::fs::write(&out, html(&views(reports), &about)) {
        return refuse(&sources, &cannot_write(&out, &error.to_string()), console);
    }
    console.line(Stream::Out, &out.display().to_string())?;
    Ok(Ending::Ok)
}

fn refuse(sources: &SourceMap, error: &Diagnostic, console: &Console) -> io::Result<Ending> {
    console.draw(Stream::Err, sources, error)?;
    Ok(Ending::of(error, false))
}

/// The reports of a file.
struct Counted {
    /// The objects of the kind `coverage`.
    reports: Vec<Report>,
    /// The last object of the kind `answer`.
    answer: Option<Answer>,
}

/// The kind of the object on a line. The rest is skipped: a trace may be nested too deeply to parse.
#[derive(Deserialize)]
struct Line<'l> {
    #[serde(borrow)]
    kind: Option<Cow<'l, str>>,
}

/// How a run ended.
#[derive(Deserialize)]
pub struct Answer {
    pub verdict: Option<String>,
    /// Searches have them.
    pub counts: Option<IgnoredAny>,
}

/// A file has an object a line.
fn read(path: &Path, sources: &mut SourceMap) -> Result<Counted, Box<Diagnostic>> {
    let source = read_text(path, sources)?;
    let (mut reports, mut answer): (Vec<Report>, _) = (Vec::new(), None);
    for (index, line) in sources.file(source).text().lines().enumerate() {
        let refused =
            |error: serde_json::Error| Box::new(refusal(path, &format!("line {}: {error}", index + 1)));
        if line.trim().is_empty() {
            continue;
        }
        let Line { kind } = serde_json::from_str(line).map_err(refused)?;
        match kind.as_deref() {
            Some("coverage") => reports.push(serde_json::from_str(line).map_err(refused)?),
            Some("answer") => answer = Some(serde_json::from_str(line).map_err(refused)?),
            Some(_) | None => {}
        }
    }
    if reports.iter().all(|report| report.sources.is_empty()) {
        return Err(Box::new(refusal(
            path,
            "it has no object of the kind `coverage` with the texts of modules",
        )));
    }
    Ok(Counted { reports, answer })
}

fn refusal(path: &Path, reason: &str) -> Diagnostic {
    let headline = format!("`{}` has nothing that was counted: {reason}", path.display());
    let help = "`specline check --coverage --format json` writes such a file";
    Diagnostic::without_place(Code::CannotRead, headline).help(help)
}

/// Returns the report on several budgets together.
fn together(reports: &[Report]) -> Report {
    Report::sum(reports.iter().filter(|report| !has_budget(report)))
}

/// Returns the reports, with the one on several budgets first.
pub fn views(mut reports: Vec<Report>) -> Vec<Report> {
    reports.sort_by_key(has_budget);
    if reports.iter().filter(|report| !has_budget(report)).count() > 1 {
        let all = together(&reports);
        reports.insert(0, all);
    }
    reports
}

fn has_budget(report: &Report) -> bool {
    report.bounds.as_ref().is_some_and(|bounds| bounds.budget.is_some())
}
