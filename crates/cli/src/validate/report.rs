//! A log in the reports for machines: a case that passed or did not, and a finding with its place in the log.

use diag::{Diagnostic, SourceMap};
use report::findings::{Case, Finding, FindingPlace, Level, Outcome, Point};

use super::entry::{Class, Entry};
use crate::reports::Reports;

impl Reports<'_> {
    pub fn log(&mut self, sources: &SourceMap, entry: &Entry) {
        if let Some(complaint) = &entry.complaint {
            self.find(finding(sources, complaint, entry));
        }
        let (name, millis) = (entry.name.clone(), entry.elapsed.as_millis() as u64);
        self.add(Case { name, outcome: outcome(entry), millis });
    }
}

fn outcome(entry: &Entry) -> Outcome {
    let kind = entry.complaint.as_ref().map_or("undecided", |complaint| complaint.code.id()).to_owned();
    let (message, text) = (entry.why.clone(), entry.text.clone());
    match entry.class {
        Class::Accepted => Outcome::Passed,
        Class::Rejected | Class::Violated => Outcome::Failed { kind, message, text },
        Class::Undecided | Class::Error => Outcome::Broken { kind, message, text },
    }
}

/// Returns a finding at the line of the log that cannot be explained, or at the conjunct that prevents it if
/// the line is not known.
fn finding(sources: &SourceMap, complaint: &Diagnostic, entry: &Entry) -> Finding {
    let mut finding = Finding::of(sources, complaint);
    finding.level = Level::Error;
    for (place, text) in &entry.obstacles {
        finding.message += &format!("\n{text}, {}:{}:{}", place.file, place.start.line, place.start.column);
        finding.related.push((place.clone(), text.clone()));
    }
    if finding.place.is_none() {
        let obstacle = || finding.related.first().map(|(place, _)| place.clone());
        finding.place = entry.line.clone().or_else(obstacle);
    }
    finding
}

/// Returns the place of a whole line of a file.
pub fn line_place(file: &str, line: usize, text: &str) -> FindingPlace {
    let line = u32::try_from(line).unwrap_or(u32::MAX);
    let end = u32::try_from(text.chars().count()).unwrap_or(u32::MAX - 1) + 1;
    FindingPlace { file: file.to_owned(), start: Point { line, column: 1 }, end: Point { line, column: end } }
}

/// Returns the conjuncts that prevent an event.
pub fn obstacles<'n>(misses: impl IntoIterator<Item = &'n check::NearStep>) -> Vec<(FindingPlace, String)> {
    let obstacle = |near: &check::NearStep| {
        let place = near.failure.place.as_ref()?;
        let point = |point: trace::Point| Point { line: point.line, column: point.column };
        let place =
            FindingPlace { file: place.file.clone(), start: point(place.start), end: point(place.end) };
        Some((place, format!("{}: {} is FALSE", trace::step_text(&near.step), near.failure.text)))
    };
    misses.into_iter().filter_map(obstacle).collect()
}

/// The step that came nearest, for the end of a sentence.
pub fn nearest(misses: &[check::NearStep]) -> String {
    let Some(near) = misses.first() else { return String::new() };
    let text = near.failure.text.split_whitespace().collect::<Vec<_>>().join(" ");
    let call = near.failure.calls.first().map(|call| format!(" by way of {}", call.name));
    let step = format!("{}{}", trace::step_text(&near.step), call.unwrap_or_default());
    format!("; nearest is {step}, but `{text}` is FALSE")
}
