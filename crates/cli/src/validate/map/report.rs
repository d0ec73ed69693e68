//! A run that was followed by a mapping: as a summary, reports and a page have it.

use std::time::Duration;

use diag::{Diagnostic, render};
use report::coverage::{Action, Branch, BranchKind, Report};
use report::findings::FindingPlace;
use trace::Style;
use validate::outcome::{LoggedEvent, Outcome, Prefix, Rejection, Unexplained};
use validate::why::WhyRun;
use validate::{Trouble, Validation};

use super::super::entry::{Class, Entry};
use super::super::report::{line_place, nearest, obstacles};
use super::tell::{Run, Telling, rejection_text};
use super::{Mapped, ending_of_run};
use crate::check::json::finding_diagnostic;
use crate::exit::Ending;

const WIDTH: usize = 100;

impl Telling<'_> {
    pub fn entry(&self, run: &Run<'_>, elapsed: Duration) -> Entry {
        let (name, ending) = (run.name(), ending_of_run(run.followed));
        let class = class(run.followed, ending);
        let complaint = self.about(run);
        let rejection = rejection(run.followed);
        let style = Style { full: false, colour: false, width: WIDTH };
        let mut text = rejection.map_or_else(String::new, |rejection| rejection_text(rejection, style));
        if let Some(complaint) = &complaint {
            text += &render::text(&self.mapped.spec.sources, complaint, render::Colour::Plain);
        }
        let unexplained = rejection.map_or(&[][..], |rejection| &rejection.unexplained);
        let headline = complaint.as_ref().map(|complaint| complaint.headline.clone());
        let why = match unexplained {
            [one] => {
                format!("nothing explains {}:{}{}", one.event.file, one.event.line, nearest(&one.misses))
            }
            _ => headline.unwrap_or_default(),
        };
        Entry {
            class,
            ending,
            n_events: n_events(run.followed),
            elapsed,
            why,
            text,
            complaint,
            line: unexplained.first().map(|one| place(&one.event)),
            obstacles: obstacles(unexplained.iter().flat_map(|one| &one.misses)),
            name,
        }
    }

    /// Describes why a run is not accepted.
    pub fn about(&self, run: &Run<'_>) -> Option<Diagnostic> {
        match run.followed {
            Err(Trouble::Told(error) | Trouble::Undefined(error)) => Some((**error).clone()),
            Err(Trouble::Early(outcome)) => finding_diagnostic(outcome).cloned(),
            Ok(Validation { outcome: Outcome::Rejected(rejection), .. }) => {
                Some(self.complaint(run, rejection))
            }
            Ok(Validation { outcome: Outcome::Undecided(why), .. }) => {
                Some(super::tell::undecided_diagnostic(run, why))
            }
            Ok(Validation { outcome: Outcome::Accepted(_), .. }) => None,
        }
    }

    /// Returns the run for the page, and moves its behaviour there.
    pub fn why(&self, entry: &Entry, followed: Result<Validation, Trouble>) -> WhyRun {
        let headline = match (&entry.complaint, entry.class) {
            (Some(complaint), _) => complaint.headline.clone(),
            (None, Class::Accepted) => format!("`{}` is accepted", entry.name),
            (None, _) => format!("`{}`: {}", entry.name, entry.class.word()),
        };
        let help = entry.complaint.as_ref().map_or_else(Vec::new, |complaint| complaint.help.clone());
        let verdict = entry.class.word().to_owned();
        let shown = WhyRun { name: entry.name.clone(), verdict, headline, hints: help, ..WhyRun::default() };
        let Ok(validation) = followed else { return shown };
        let is_alone = !self.is_one_of_many;
        match validation.outcome {
            Outcome::Accepted(followed) if is_alone => {
                let events = events(&followed.path, &[], followed.n_events);
                WhyRun { events, has_lines: true, prefix: followed.path, ..shown }
            }
            Outcome::Accepted(followed) => WhyRun { n_events: Some(followed.n_events), ..shown },
            Outcome::Undecided(_) => shown,
            Outcome::Rejected(rejection) => {
                let Rejection { mut prefixes, unexplained, n_explained, n_events, .. } = *rejection;
                let prefix = if prefixes.is_empty() { Prefix::default() } else { prefixes.swap_remove(0) };
                let events = events(&prefix, &unexplained, n_explained);
                WhyRun { events, n_events, has_lines: true, prefix, unexplained, ..shown }
            }
        }
    }
}

/// Returns the coverage, by the actions of the specification: the events for which each was taken are counted by rule.
pub fn coverage_report(mapped: &Mapped, counted: &model::Coverage) -> Report {
    let (spec, mut report) = (&mapped.spec, crate::coverage::report(&mapped.spec, counted));
    report.actions.clear();
    report.branches.retain(|branch| branch.kind != BranchKind::Action);
    for &def in &mapped.plan.actions {
        let name = spec.names.text(spec.defs[def].name).to_owned();
        let place = crate::coverage::report_place(spec, spec.defs[def].span);
        let mut action = Action { name, place, tried: 0, possible: 0, generated: 0 };
        let takes =
            |rule: &&model::ActionCoverage| rule.name.split(" \\cdot ").any(|part| part == action.name);
        let rules: Vec<&model::ActionCoverage> = counted.rules.iter().filter(takes).collect();
        for rule in rules {
            action.tried += rule.tried;
            action.possible += rule.possible;
            action.generated += rule.generated;
        }
        let (place, taken) = (action.place.clone(), action.possible);
        report.branches.push(Branch { kind: BranchKind::Action, place, taken });
        report.actions.push(action);
    }
    report.nest()
}

/// The events that are known, by their numbers: those that were explained, and those that could not be.
fn events(prefix: &Prefix, unexplained: &[Unexplained], n_explained: usize) -> Vec<LoggedEvent> {
    let known: Vec<&LoggedEvent> =
        prefix.events.iter().flatten().chain(unexplained.iter().map(|one| &one.event)).collect();
    let n_events = known.iter().map(|event| event.number).max().unwrap_or(0).max(n_explained);
    let blank = |number| LoggedEvent { number, file: String::new(), line: 0, text: String::new() };
    let mut events: Vec<LoggedEvent> = (1..=n_events).map(blank).collect();
    for event in known {
        if let Some(place) = event.number.checked_sub(1).and_then(|index| events.get_mut(index)) {
            place.clone_from(event);
        }
    }
    events
}

fn place(event: &LoggedEvent) -> FindingPlace {
    line_place(&event.file, event.line, &event.text)
}

fn rejection(followed: &Result<Validation, Trouble>) -> Option<&Rejection> {
    match &followed.as_ref().ok()?.outcome {
        Outcome::Rejected(rejection) => Some(rejection),
        Outcome::Accepted(_) | Outcome::Undecided(_) => None,
    }
}

fn n_events(followed: &Result<Validation, Trouble>) -> Option<u64> {
    let n_events = match &followed.as_ref().ok()?.outcome {
        Outcome::Accepted(followed) => Some(followed.n_events),
        Outcome::Rejected(rejection) => rejection.n_events,
        Outcome::Undecided(_) => None,
    };
    n_events.map(|n| n as u64)
}

fn class(followed: &Result<Validation, Trouble>, ending: Ending) -> Class {
    match (followed, ending) {
        (_, Ending::Ok) => Class::Accepted,
        (_, Ending::Rejected) => Class::Rejected,
        (Err(_), _) => Class::Error,
        (Ok(validation), _) => match &validation.outcome {
            Outcome::Accepted(_) => Class::Violated,
            Outcome::Rejected(_) => Class::Rejected,
            Outcome::Undecided(_) => Class::Undecided,
        },
    }
}
