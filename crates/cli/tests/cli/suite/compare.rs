//! An outcome against what is expected of it.

use std::fmt::Debug;

use trace::{Ending, Trace};

use super::printed;
use super::record::{Case, Expected, State, Verdict};
use super::run::{Outcome, Search, Way};

/// Everything that differs.
pub fn differences(case: &Case, way: Way, outcome: &Outcome) -> Vec<String> {
    let expected = &case.expected;
    let mut found = Differences::default();
    found.compare("exit code", outcome.exit, Some(exit_code(expected)));
    if !is_verdict(expected.verdict, outcome) {
        let got = [outcome.word("verdict"), outcome.word("property_kind"), outcome.word("phase")];
        found.add("verdict", got, expected.verdict);
    }
    // Another order meets other states before the search ends at what it finds.
    if expected.verdict == Verdict::Ok || way.search == Search::Breadth {
        found.compare_count(outcome, "generated", expected.generated);
        found.compare_count(outcome, "distinct", expected.distinct);
    }
    if way.search == Search::Breadth {
        found.breadth_first(expected, way, outcome);
    }
    if outcome.errors.contains("panicked") {
        found.0.push(outcome.errors.clone());
    }
    found.0
}

/// The exit code that TLC's run asks for.
///
/// When a step has no value, TLC's code depends on the message: 255 if one of its own operators raised it
/// (`Head(<<>>)`, `1 \div 0`) or its stack was full, 75 otherwise. Here it is 75 (docs/exit-codes.md).
fn exit_code(expected: &Expected) -> i32 {
    let is_by_message = expected.exit == 255 && expected.verdict == Verdict::Error && !expected.is_exit_ours;
    if is_by_message { 75 } else { expected.exit }
}

fn is_verdict(verdict: Verdict, outcome: &Outcome) -> bool {
    let answer = outcome.word("verdict");
    let violated = |kind: &str| answer == Some("violated") && outcome.word("property_kind") == Some(kind);
    let undefined_in = |phase: &str| answer == Some("undefined") && outcome.word("phase") == Some(phase);
    match verdict {
        Verdict::Ok => answer == Some("holds"),
        Verdict::Invariant => violated("invariant"),
        Verdict::ActionProperty => violated("action-property"),
        Verdict::InitProperty => violated("initial-property"),
        Verdict::Temporal => violated("temporal"),
        Verdict::Deadlock => violated("deadlock"),
        Verdict::Assert => answer == Some("assertion"),
        Verdict::Assumption => violated("assumption") || undefined_in("assumption"),
        Verdict::Postcondition => {
            violated("postcondition") || violated("possible") || undefined_in("postcondition")
        }
        Verdict::InitError | Verdict::Error => matches!(answer, Some("undefined" | "incomplete")),
        Verdict::Config => matches!(answer, None | Some("unsupported")),
        Verdict::Parse => answer.is_none(),
        Verdict::NoInitialState => answer == Some("no-initial-state"),
    }
}

#[derive(Default)]
struct Differences(Vec<String>);

impl Differences {
    fn add(&mut self, what: &str, got: impl Debug, wanted: impl Debug) {
        self.0.push(format!("{what}: {got:?}, expected {wanted:?}"));
    }

    fn compare<T: Debug + PartialEq>(&mut self, what: &str, got: T, wanted: T) {
        if got != wanted {
            self.add(what, got, wanted);
        }
    }

    fn compare_count(&mut self, outcome: &Outcome, name: &str, wanted: Option<u64>) {
        if wanted.is_some() {
            self.compare(name, outcome.count(name), wanted);
        }
    }

    /// Compares what every breadth-first search has in common: the first finding, and the way to it.
    fn breadth_first(&mut self, expected: &Expected, way: Way, outcome: &Outcome) {
        if expected.property.is_some() {
            self.compare("property", outcome.word("property"), expected.property.as_deref());
        }
        let n_states = outcome.trace.as_ref().map(|trace| trace.states.len() as u64);
        match &expected.trace {
            _ if expected.verdict == Verdict::Ok => self.compare_count(outcome, "depth", expected.depth),
            // Any counterexample will do, if it is one without end.
            Some(_) if expected.verdict == Verdict::Temporal => self.check_lasso(outcome.trace.as_ref()),
            Some(states) if !states.is_empty() => self.compare_trace(outcome.trace.as_ref(), states),
            Some(_) => {}
            None if expected.depth.is_some() => self.compare("states of the trace", n_states, expected.depth),
            None => {}
        }
        let (mut got, mut wanted) = (outcome.output.clone(), expected.output.clone());
        if way.workers > 1 {
            // Who prints first is open.
            got.sort();
            wanted.sort();
        }
        self.compare("output", got, wanted);
    }

    fn check_lasso(&mut self, trace: Option<&Trace>) {
        let is_lasso = |trace: &Trace| match trace.ending {
            Ending::Stop => false,
            Ending::Stuttering => !trace.states.is_empty(),
            Ending::Loop { to, .. } => to < trace.states.len(),
        };
        if !trace.is_some_and(is_lasso) {
            self.0.push("there is no infinite behaviour".to_owned());
        }
    }

    fn compare_trace(&mut self, trace: Option<&Trace>, wanted: &[State]) {
        let Some(trace) = trace else {
            return self.0.push("there is no trace".to_owned());
        };
        self.compare("states of the trace", trace.states.len(), wanted.len());
        for (index, wanted) in wanted.iter().enumerate().take(trace.states.len()) {
            let step = trace.states[index].step.as_ref();
            let action = step.map_or("Initial predicate", |step| step.name.as_str());
            let wanted_action = wanted.action.split('(').next().unwrap_or_default();
            self.compare(&format!("action of state {}", index + 1), action, wanted_action);
            self.compare_state(trace, index, &wanted.state);
        }
    }

    /// Variables have no order.
    fn compare_state(&mut self, trace: &Trace, index: usize, wanted: &str) {
        let wanted_equations = match printed::state(wanted) {
            Ok(equations) => equations,
            Err(error) => return self.0.push(format!("TLC's state {} cannot be read: {error}", index + 1)),
        };
        let values = &trace.states[index].values;
        let has = |(name, value): &(String, _)| {
            let at = trace.variables.iter().position(|variable| variable == name);
            at.is_some_and(|at| values[at] == *value)
        };
        let is_same = wanted_equations.len() == values.len() && wanted_equations.iter().all(has);
        if !is_same {
            let values = values.iter().map(|value| value.as_ref().map(|value| value.to_lines(80, 0)));
            let got: Vec<_> = trace.variables.iter().zip(values).collect();
            self.add(&format!("state {}", index + 1), got, wanted);
        }
    }
}
