//! Decides whether a model ended as expected. A model without an answer, because time ran out or for another
//! reason, never passes.

use std::time::Duration;

use clap::ValueEnum;
use serde::Deserialize;

use super::child::Run;
use super::plan::{Expected, Model};
use crate::check::args::ExpectArg;
use crate::check::expect::words;

/// The result of a model.
pub struct Judged {
    /// Differences from the expected result; none if it passed.
    pub complaints: Vec<String>,
    pub answer: Option<Answer>,
    /// The reported errors, each with its place.
    pub errors: Vec<String>,
    pub time: Duration,
}

/// The final answer of `check --format json`.
pub struct Answer {
    /// Outcome of the search; `None` if it is not complete.
    pub outcome: Option<ExpectArg>,
    pub property: Option<String>,
    /// The verdict as the format spells it.
    pub verdict: String,
    pub generated: u64,
    pub distinct: u64,
    pub depth: u64,
}

impl Judged {
    pub fn new(model: &Model, run: Run, time: Duration) -> Judged {
        let (answer, errors, complaints) = match run {
            Run::Ended { out, err, code } => {
                let (answer, errors) = read(&out);
                let complaints = match &answer {
                    Some(answer) => answer.complaints(&model.expected),
                    None => vec![no_answer(&errors, &err, code)],
                };
                (answer, errors, complaints)
            }
            Run::Killed => {
                (None, Vec::new(), vec![format!("it did not end within {} s", model.time.as_secs_f64())])
            }
            Run::Interrupted => (None, Vec::new(), vec!["it was interrupted".to_owned()]),
            Run::Failed(error) => (None, Vec::new(), vec![format!("it could not be checked: {error}")]),
        };
        Judged { complaints, answer, errors, time }
    }

    pub fn is_passed(&self) -> bool {
        self.complaints.is_empty()
    }
}

/// A line of the format. Of a trace, which may be deeper than anybody can read, nothing is wanted.
#[derive(Deserialize)]
struct Line<'l> {
    kind: &'l str,
    severity: Option<&'l str>,
    code: Option<&'l str>,
    headline: Option<String>,
    primary: Option<Primary>,
    verdict: Option<String>,
    property: Option<String>,
    outcome: Option<&'l str>,
    counts: Option<Counts>,
}

#[derive(Deserialize)]
struct Primary {
    file: String,
    start: Start,
}

#[derive(Deserialize)]
struct Start {
    line: u64,
    column: u64,
}

#[derive(Deserialize)]
struct Counts {
    generated: u64,
    distinct: u64,
    depth: u64,
}

/// The answer, if there is one, and the errors before it.
fn read(out: &str) -> (Option<Answer>, Vec<String>) {
    let (mut answer, mut errors) = (None, Vec::new());
    for line in out.lines() {
        let Ok(line) = serde_json::from_str::<Line<'_>>(line) else { continue };
        match line.kind {
            "answer" => answer = Answer::of(line),
            "diagnostic" if line.severity == Some("error") => errors.push(error(&line)),
            _ => {}
        }
    }
    (answer, errors)
}

/// Returns an error in one line: `Raft.tla:12:5: SL0301: unknown name`.
fn error(line: &Line<'_>) -> String {
    let at = line
        .primary
        .as_ref()
        .map(|Primary { file, start: Start { line, column } }| format!("{file}:{line}:{column}: "));
    let headline = line.headline.as_deref().unwrap_or_default();
    format!("{}{}: {headline}", at.unwrap_or_default(), line.code.unwrap_or_default())
}

fn no_answer(errors: &[String], err: &str, code: Option<i32>) -> String {
    let ended = match code {
        Some(code) => format!("with the exit code {code}"),
        None => "by a signal".to_owned(),
    };
    let why = errors.first().map(String::as_str).or_else(|| err.lines().rfind(|line| !line.is_empty()));
    let why = why.map(|why| format!(": {why}")).unwrap_or_default();
    format!("there is no answer, it ended {ended}{why}")
}

impl Answer {
    fn of(line: Line<'_>) -> Option<Answer> {
        let verdict = line.verdict?;
        let Counts { generated, distinct, depth } = line.counts?;
        let outcome = line.outcome.and_then(|name| ExpectArg::from_str(name, false).ok());
        Some(Answer { outcome, property: line.property, verdict, generated, distinct, depth })
    }

    /// Returns how the check ended, in words.
    pub fn words(&self) -> String {
        match (self.outcome, &self.property) {
            (Some(outcome), Some(property)) => format!("{}: `{property}`", words(outcome)),
            (Some(outcome), None) => words(outcome).to_owned(),
            (None, _) if self.verdict == "limit" => "a search that is not complete".to_owned(),
            (None, _) => format!("no outcome ({})", self.verdict),
        }
    }

    fn complaints(&self, expected: &Expected) -> Vec<String> {
        let mut complaints = Vec::new();
        if self.outcome != Some(expected.outcome) {
            complaints.push(format!("expected {}, found {}", words(expected.outcome), self.words()));
        } else if expected.property.is_some() && expected.property != self.property {
            let name = |name: &Option<String>| name.as_deref().unwrap_or("nothing").to_owned();
            let (expected, found) = (name(&expected.property), name(&self.property));
            complaints.push(format!("expected that `{expected}` is violated, found `{found}`"));
        }
        let counts = [
            ("generated states", expected.generated, self.generated),
            ("distinct states", expected.distinct, self.distinct),
            ("levels", expected.depth, self.depth),
        ];
        for (what, expected, found) in counts {
            if let Some(expected) = expected.filter(|&expected| expected != found) {
                complaints.push(format!("expected {expected} {what}, found {found}"));
            }
        }
        complaints
    }
}
