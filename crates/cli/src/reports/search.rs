//! Findings of a search, as cases: one for each property.

use check::{Answer, Options};
use model::{NoVerdict, Property, PropertyKind, Verdict};
use report::findings::Outcome;
use sema::Spec;
use sema::config::{BoundConfig, Named};
use setup::trace_of;

use super::{Reports, draw};
use crate::check::args::ExpectArg;
use crate::check::json::{finding_diagnostic, property_kind};
use crate::check::{self as search, expect};

/// The width of a trace in a report.
const WIDTH: usize = 100;

/// The properties that a search is to judge.
pub struct AskedProperties {
    /// The properties that are known once all states are.
    of_states: Vec<String>,
    names: Vec<String>,
    /// Whether the search continues after any number of violations.
    goes_on: bool,
}

impl AskedProperties {
    pub fn of(spec: &Spec, config: &BoundConfig, options: &Options<'_>) -> AskedProperties {
        let BoundConfig { invariants, properties, postconditions, possible, .. } = config;
        let name = |named: &Named| spec.names.text(named.name).to_owned();
        let deadlock = options.check_deadlock.then(|| DEADLOCK.to_owned());
        let of_states: Vec<String> = invariants.iter().map(name).chain(deadlock).collect();
        let others = [properties, postconditions, possible].into_iter().flatten().map(name);
        let goes_on = options.violations_max.is_none();
        AskedProperties { goes_on, names: of_states.iter().cloned().chain(others).collect(), of_states }
    }
}

const DEADLOCK: &str = "no deadlock";
/// The name of the finding that the search came to its end: there may be nothing else that was asked.
const SEARCH: &str = "search";

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
    /// Adds the answer of a search, with its diagnostics.
    pub fn search(&mut self, spec: &Spec, asked: &AskedProperties, answer: &Answer) {
        self.note(&spec.sources, &answer.warnings);
        self.note(&spec.sources, finding_diagnostic(&answer.outcome));
        match &answer.outcome {
            Ok(Verdict::Holds) => {
                self.case(SEARCH, Outcome::Passed);
                asked.names.iter().for_each(|name| self.case(name, Outcome::Passed));
            }
            Ok(Verdict::Violated(violation)) => {
                let others = answer.tallies.iter().map(|tally| &tally.property);
                self.add_violated(spec, (asked, answer), [&violation.property].into_iter().chain(others));
            }
            Err(reason) => {
                let message = search::text::short(&answer.outcome);
                let kind = ending_kind(reason).to_owned();
                self.case(SEARCH, Outcome::Broken { kind, message, text: self::text(spec, answer) });
                self.skip(asked, &[]);
            }
        }
    }

    /// Adds the answer of a search of which it is known how it should end.
    pub fn add_expectation(&mut self, (spec, expected): (&Spec, ExpectArg), answer: &Answer) {
        let is_met = expect::is_met(expected, &answer.outcome);
        self.note(&spec.sources, &answer.warnings);
        self.note(&spec.sources, finding_diagnostic(&answer.outcome).filter(|_| !is_met));
        let message = search::text::short(&answer.outcome);
        let outcome = match (&answer.outcome, expect::of(&answer.outcome)) {
            (_, Some(found)) if found == expected => Outcome::Passed,
            (Err(reason), None) => {
                let kind = ending_kind(reason).to_owned();
                Outcome::Broken { kind, message, text: self::text(spec, answer) }
            }
            (_, _) => {
                let kind = "unexpected".to_owned();
                Outcome::Failed { kind, message, text: self::text(spec, answer) }
            }
        };
        self.case(format!("expected: {}", expect::words(expected)), outcome);
    }

    fn add_violated<'p>(
        &mut self,
        spec: &Spec,
        (asked, answer): (&AskedProperties, &Answer),
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
        if has_all_states(asked, answer) {
            let held = asked.of_states.iter().filter(|name| !failed.contains(name));
            let held: Vec<String> = held.cloned().collect();
            held.iter().for_each(|name| self.case(name, Outcome::Passed));
            failed.extend(held);
        }
        self.skip(asked, &failed);
    }

    /// Adds every property that is not in `decided` as skipped: the search ended before it was decided.
    fn skip(&mut self, asked: &AskedProperties, decided: &[String]) {
        for name in asked.names.iter().filter(|name| !decided.contains(name)) {
            self.case(name, Outcome::Skipped("not decided: the search ended before that".to_owned()));
        }
    }
}

/// Returns the behaviour and the diagnostic about it, as text.
fn text(spec: &Spec, answer: &Answer) -> String {
    let style = trace::Style { full: false, colour: false, width: WIDTH };
    let trace = trace_of(&answer.outcome).map(|trace| trace::story(trace, style)).unwrap_or_default();
    let told = finding_diagnostic(&answer.outcome)
        .map(|diagnostic| draw(&spec.sources, diagnostic))
        .unwrap_or_default();
    format!("{trace}\n{told}")
}

/// Whether a search with a finding still explored all states: it continued after the violation, or the
/// violation is temporal.
fn has_all_states(asked: &AskedProperties, answer: &Answer) -> bool {
    let is_temporal = match &answer.outcome {
        Ok(Verdict::Violated(violation)) => violation.property.kind == PropertyKind::Temporal,
        Ok(Verdict::Holds) | Err(_) => false,
    };
    answer.counts.queue == 0 && (is_temporal || asked.goes_on)
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
