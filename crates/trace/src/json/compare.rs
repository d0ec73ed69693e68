//! Compares two traces, for programs. `docs/traces.md` is its contract.

use serde::Serialize;

use super::{JsonChange, JsonStep, VERSION, changes};
use crate::text::{compare, ending, n_back, n_same, reorder};
use crate::{Style, Trace, headline};

/// Returns the first difference of two traces on one line, without a line feed. Pairs have the first trace first.
pub fn compare_json(left: &Trace, right: &Trace) -> String {
    let ordered = reorder(right, &left.variables);
    let n_same = ordered.as_ref().map_or(0, |right| n_same(left, right));
    let object = TraceComparison {
        kind: "trace-diff",
        version: VERSION,
        same: compare(left, right, Style::default()).is_none(),
        variables: ordered.is_none().then_some([&left.variables, &right.variables]),
        states: [left.states.len(), right.states.len()],
        same_states: n_same,
        difference: ordered.as_ref().and_then(|right| Difference::new(left, right, n_same)),
        findings: (left.finding != right.finding)
            .then(|| [headline(&left.finding), headline(&right.finding)]),
        endings: (n_back(&left.ending) != n_back(&right.ending)).then(|| [ending(left), ending(right)]),
    };
    serde_json::to_string(&object).expect("strings and numbers always have a JSON form")
}

#[derive(Serialize)]
struct TraceComparison<'a> {
    kind: &'static str,
    version: u32,
    same: bool,
    /// The variables, only if they differ.
    variables: Option<[&'a Vec<String>; 2]>,
    states: [usize; 2],
    same_states: usize,
    difference: Option<Difference<'a>>,
    findings: Option<[String; 2]>,
    endings: Option<[String; 2]>,
}

/// The first state that both traces have and that differs.
#[derive(Serialize)]
struct Difference<'a> {
    state: usize,
    steps: [Option<JsonStep<'a>>; 2],
    changes: Vec<JsonChange>,
}

impl<'a> Difference<'a> {
    fn new(left: &'a Trace, right: &'a Trace, n_same: usize) -> Option<Self> {
        let (one, other) = (left.states.get(n_same)?, right.states.get(n_same)?);
        let step = |state: &'a crate::State| state.step.as_ref().map(JsonStep::new);
        Some(Difference {
            state: n_same + 1,
            steps: [step(one), step(other)],
            changes: changes(left, one, other),
        })
    }
}
