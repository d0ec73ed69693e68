//! What a search found, as cases: one for each property.

use check::{Answer, NoVerdict, Property, PropertyKind, Verdict};
use findings::Outcome;
use sema::Spec;
use sema::config::{BoundConfig, Named};

use super::{Reports, drawn};
use crate::args::ExpectArg;
use crate::check::expect;
use crate::check::json::{property_kind, told};
use crate::check::{self as search, trace_of};

/// The width of a trace in a report.
const WIDTH: usize = 100;

/// What a search is to find out.
pub struct Asked {
    names: Vec<String>,
}

impl Asked {
    pub fn of(spec: &Spec, config: &BoundConfig, checks_deadlock: bool) -> Asked {
        let BoundConfig { invariants, properties, postconditions, possible, .. } = config;
        let named = [invariants, properties, postconditions, possible].into_iter().flatten();
        let name = |named: &Named| spec.names.text(named.name).to_owned();
        let deadlock = checks_deadlock.then(|| DEADLOCK.to_owned());
        Asked { names: named.map(name).chain(deadlock).collect() }
    }
}

const DEADLOCK: &str = "no deadlock";

/// A property under the name that it has in reports.
fn case_name(property: &Property) -> String {
    match property.kind {
        PropertyKind::Deadlock => DEADLOCK.to_owned(),
        PropertyKind::Assumption
        | PropertyKind::Invariant
        | PropertyKind::Step
        | PropertyKind::Initial
        | PropertyKind::Temporal
        | PropertyKind::Postcondition
        | PropertyKind::Possible
        | PropertyKind::Periodic => property.name.clone(),
    }
}

impl Reports<'_> {
    /// What a search says, with its diagnostics.
    pub fn search(&mut self, spec: &Spec, asked: &Asked, answer: &Answer) {
        self.note(&spec.sources, &answer.warnings);
        self.note(&spec.sources, told(&answer.outcome));
        match &answer.outcome {
            Ok(Verdict::Holds) => asked.names.iter().for_each(|name| self.case(name, Outcome::Passed)),
            Ok(Verdict::Violated(violation)) => {
                let others = answer.tallies.iter().map(|tally| &tally.property);
                self.violated(spec, (asked, answer), [&violation.property].into_iter().chain(others));
            }
            Err(reason) => {
                let message = search::text::short(&answer.outcome);
                let kind = ending_kind(reason).to_owned();
                self.case("search", Outcome::Broken { kind, message, text: self::text(spec, answer) });
                self.skip(asked, &[]);
            }
        }
    }

    /// The same where it is said how the search should end.
    pub fn expected(&mut self, (spec, expected): (&Spec, ExpectArg), answer: &Answer) {
        let is_met = expect::is_met(expected, &answer.outcome);
        self.note(&spec.sources, &answer.warnings);
        self.note(&spec.sources, told(&answer.outcome).filter(|_| !is_met));
        let message = search::text::short(&answer.outcome);
        let kind = "unexpected".to_owned();
        let outcome = match is_met {
            true => Outcome::Passed,
            false => Outcome::Failed { kind, message, text: self::text(spec, answer) },
        };
        self.case(format!("expected: {}", expect::words(expected)), outcome);
    }

    fn violated<'p>(
        &mut self,
        spec: &Spec,
        (asked, answer): (&Asked, &Answer),
        properties: impl Iterator<Item = &'p Property>,
    ) {
        let mut failed: Vec<String> = Vec::new();
        for property in properties {
            let name = case_name(property);
            if failed.contains(&name) {
                continue;
            }
            // The behaviour is that of the first.
            let is_first = failed.is_empty();
            let message = match is_first {
                true => search::text::short(&answer.outcome),
                false => format!("`{name}` is violated"),
            };
            let kind = property_kind(property.kind).to_owned();
            let text = if is_first { text(spec, answer) } else { String::new() };
            self.case(&name, Outcome::Failed { kind, message, text });
            failed.push(name);
        }
        self.skip(asked, &failed);
    }

    /// Those that are not among the failed ones: the search ended before they were decided.
    fn skip(&mut self, asked: &Asked, failed: &[String]) {
        for name in asked.names.iter().filter(|name| !failed.contains(name)) {
            self.case(name, Outcome::Skipped("not decided: the search ended before that".to_owned()));
        }
    }
}

/// The behaviour, and what is wrong with it.
fn text(spec: &Spec, answer: &Answer) -> String {
    let style = trace::Style { full: false, colour: false, width: WIDTH };
    let trace = trace_of(&answer.outcome).map(|trace| trace::story(trace, style)).unwrap_or_default();
    let told = told(&answer.outcome).map(|diagnostic| drawn(&spec.sources, diagnostic)).unwrap_or_default();
    format!("{trace}\n{told}")
}

fn ending_kind(reason: &NoVerdict) -> &'static str {
    match reason {
        NoVerdict::Undefined { .. } => "undefined",
        NoVerdict::Assertion { .. } => "assertion",
        NoVerdict::Incomplete { .. } => "incomplete",
        NoVerdict::NoInitialState(_) => "no-initial-state",
        NoVerdict::Checkpoint(_) => "checkpoint",
        NoVerdict::Unsupported(_) => "unsupported",
        NoVerdict::Disk(_) => "disk",
        NoVerdict::Limit(_) => "limit",
        NoVerdict::Interrupted => "interrupted",
    }
}
