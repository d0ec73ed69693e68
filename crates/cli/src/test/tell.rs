//! The answer: a line for each model, and a summary.

use std::io;
use std::time::Duration;

use diag::render::printable;
use report::findings::{Case, Finding, Level, Outcome};
use serde_json::json;
use setup::words::counted;

use super::judge::{Answer, Judged};
use super::plan::Model;
use crate::args::CheckFormatArg;
use crate::check::expect::name;
use crate::console::{Console, Stream};
use crate::reports::Reports;
use crate::test::args::TestArgs;

/// A model, as `--list` has it.
pub fn list_entry(model: &Model) -> String {
    let spec = model.spec.display().to_string();
    let (spec, expected) = (printable(&spec), name(model.expected.outcome));
    let name = printable(&model.name);
    format!("{name}  {spec}  {expected}, within {} s", model.time.as_secs_f64())
}

pub struct Teller<'a> {
    console: &'a Console,
    format: CheckFormatArg,
    n_models: usize,
    /// Whether models that end as they should are passed over in silence.
    is_quiet: bool,
    /// Width of the column of names.
    width: usize,
}

impl<'a> Teller<'a> {
    pub fn new(console: &'a Console, args: &TestArgs, models: &[Model]) -> Self {
        let (format, is_quiet) = (args.format, args.quiet.quiet);
        let width = models.iter().map(|model| model.name.chars().count()).max().unwrap_or(0);
        Teller { console, format, n_models: models.len(), is_quiet, width }
    }

    pub fn model(&self, model: &Model, judged: &Judged) -> io::Result<()> {
        match self.format {
            CheckFormatArg::Text if self.is_quiet && judged.is_passed() => Ok(()),
            CheckFormatArg::Text => self.console.write(Stream::Out, &self.text(model, judged)),
            CheckFormatArg::Json => self.console.line(Stream::Out, &json(model, judged)),
        }
    }

    fn text(&self, model: &Model, judged: &Judged) -> String {
        let seconds = judged.time.as_secs_f64();
        let found = judged.answer.as_ref().map(finding_text).unwrap_or_else(|| "no answer".to_owned());
        let verdict = if judged.is_passed() { "ok    " } else { "FAILED" };
        let (name, found, width) = (printable(&model.name), printable(&found), self.width);
        let mut text = format!("{verdict}  {name:width$}  {found} ({seconds:.1} s)\n");
        for line in judged.complaints.iter().chain(judged.errors.iter().filter(|_| !judged.is_passed())) {
            text.push_str(&format!("        {}\n", printable(line)));
        }
        text
    }

    pub fn end(&self, n_passed: usize, is_interrupted: bool, time: Duration) -> io::Result<()> {
        let (n_models, seconds) = (self.n_models, time.as_secs_f64());
        match self.format {
            CheckFormatArg::Text if self.is_quiet && n_passed == n_models && !is_interrupted => Ok(()),
            CheckFormatArg::Text => {
                let models = diag::render::count(n_models, "model");
                let end = if is_interrupted { ", interrupted" } else { "" };
                let line = format!("{n_passed} of {models} as expected{end} ({seconds:.1} s)");
                self.console.line(Stream::Out, &line)
            }
            CheckFormatArg::Json => {
                let passed = n_passed == n_models && !is_interrupted;
                let object = json!({
                    "kind": "summary", "models": n_models, "as_expected": n_passed, "passed": passed,
                    "interrupted": is_interrupted, "elapsed_ms": time.as_millis() as u64,
                });
                self.console.line(Stream::Out, &object.to_string())
            }
        }
    }
}

fn finding_text(answer: &Answer) -> String {
    format!("{}, {}", answer.words(), counted(answer.distinct, "distinct state"))
}

fn json(model: &Model, judged: &Judged) -> String {
    let answer = judged.answer.as_ref();
    let object = json!({
        "kind": "model",
        "name": model.name,
        "spec": model.spec.display().to_string(),
        "passed": judged.is_passed(),
        "expected": name(model.expected.outcome),
        "outcome": answer.and_then(|answer| answer.outcome).map(name),
        "property": answer.and_then(|answer| answer.property.as_deref()),
        "generated": answer.map(|answer| answer.generated),
        "distinct": answer.map(|answer| answer.distinct),
        "depth": answer.map(|answer| answer.depth),
        "complaints": judged.complaints,
        "errors": judged.errors,
        "elapsed_ms": judged.time.as_millis() as u64,
    });
    object.to_string()
}

impl Reports<'_> {
    pub fn model(&mut self, model: &Model, judged: &Judged) {
        let millis = judged.time.as_millis() as u64;
        let Some(message) = judged.complaints.first().cloned() else {
            return self.add(Case { name: model.name.clone(), outcome: Outcome::Passed, millis });
        };
        let text = judged.complaints.iter().chain(&judged.errors).map(|line| format!("{line}\n")).collect();
        self.find(Finding {
            rule: "test-unexpected".to_owned(),
            name: "test-unexpected".to_owned(),
            level: Level::Error,
            message: format!("{}: {message}", model.name),
            place: None,
            related: Vec::new(),
        });
        let kind = if judged.answer.is_some() { "unexpected" } else { "no-answer" }.to_owned();
        let outcome = match judged.answer {
            Some(_) => Outcome::Failed { kind, message, text },
            None => Outcome::Broken { kind, message, text },
        };
        self.add(Case { name: model.name.clone(), outcome, millis });
    }
}
