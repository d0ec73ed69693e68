//! A log in the reports for machines: a case that passed or did not, and a finding with its place in the log.

use std::path::Path;

use diag::{Diagnostic, render};
use findings::{Case, Finding, Level, Outcome, Place, Point};
use sema::Spec;
use trace::Style;

use super::judged::{Class, Judged};
use super::tell::rejection;
use crate::reports::Reports;

/// Who reads it has no terminal whose width could be known.
const WIDTH: usize = 100;

impl Reports<'_> {
    pub fn log(&mut self, spec: &Spec, spec_path: &Path, judged: &Judged) {
        let complaint = judged.complaint(spec_path);
        if let Some(complaint) = &complaint {
            self.find(finding(spec, complaint, judged));
        }
        let (name, millis) = (judged.name(), judged.elapsed.as_millis() as u64);
        let outcome = outcome((spec, spec_path), judged, complaint.as_ref());
        self.add(Case { name, outcome, millis });
    }
}

fn outcome((spec, spec_path): (&Spec, &Path), judged: &Judged, complaint: Option<&Diagnostic>) -> Outcome {
    let searched = judged.searched.as_ref().ok();
    let message = judged.why(spec_path).unwrap_or_default();
    let kind = complaint.map_or("undecided", |complaint| complaint.code.id()).to_owned();
    let style = Style { full: false, colour: false, width: WIDTH };
    let mut text = searched.map_or_else(String::new, |searched| rejection(searched, style));
    if let Some(complaint) = complaint {
        text += &render::text(&spec.sources, complaint, render::Colour::Plain);
    }
    match judged.class() {
        Class::Accepted => Outcome::Passed,
        Class::Rejected | Class::Violated => Outcome::Failed { kind, message, text },
        Class::Undecided | Class::Error => Outcome::Broken { kind, message, text },
    }
}

/// With the line of the log that cannot be explained, or the conjunct that stands in the way where that is not known.
fn finding(spec: &Spec, complaint: &Diagnostic, judged: &Judged) -> Finding {
    let mut finding = Finding::of(&spec.sources, complaint);
    finding.level = Level::Error;
    let Ok(searched) = &judged.searched else {
        finding.place = Some(line_place(judged, 1, ""));
        return finding;
    };
    if judged.class() != Class::Rejected {
        return finding;
    }
    for near in &searched.reached.misses {
        let Some(place) = &near.failure.place else { continue };
        let point = |point: trace::Point| Point { line: point.line, column: point.column };
        let place = Place { file: place.file.clone(), start: point(place.start), end: point(place.end) };
        let step = trace::step_text(&near.step);
        finding.message += &format!(
            "\n{step}: {} is FALSE, {}:{}:{}",
            near.failure.text, place.file, place.start.line, place.start.column
        );
        finding.related.push((place, format!("{step}: this is FALSE")));
    }
    let line = searched.stuck_line().map(|(line, text)| line_place(judged, line, text));
    finding.place = line.or_else(|| finding.related.first().map(|(place, _)| place.clone()));
    finding
}

fn line_place(judged: &Judged, line: usize, text: &str) -> Place {
    let line = u32::try_from(line).unwrap_or(u32::MAX);
    let end = u32::try_from(text.chars().count()).unwrap_or(u32::MAX - 1) + 1;
    Place { file: judged.name(), start: Point { line, column: 1 }, end: Point { line, column: end } }
}
