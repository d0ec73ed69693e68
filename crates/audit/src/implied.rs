//! Finds invariants that follow from another one: tautologies for values of the right types.
//!
//! An invariant that restricts every variable, as `TypeOK` does, is taken as an initial predicate. If it has few enough
//! states to visit each, then whatever holds in all of them cannot fail while it holds.

use eval::ir::{ActionTree, Program};
use eval::lower::{Lowered, lower};
use model::{Model, PropertyKind, Verdict};

use crate::judge::{Asks, Explorer, SearchEffort};
use crate::options::Subject;
use crate::report::Tallied;

/// The most states that are visited.
const STATES_MAX: u64 = 100_000;
/// Each attempt may take one in this many parts of the remaining time.
const TIME_SHARE: u32 = 20;

/// Notes which invariant implies others.
pub(crate) fn note(explorer: &Explorer<'_>, subject: Subject<'_>, properties: &mut [Tallied]) {
    let Lowered { program, .. } = lower(subject.spec, subject.config, subject.atoms);
    let name = |index: usize| model::root_name(subject.spec, &program.invariants[index]);
    let n_invariants = program.invariants.len();
    let mut candidates: Vec<usize> = (0..n_invariants).collect();
    candidates.sort_by_key(|&index| !name(index).to_lowercase().contains("type"));
    let by = candidates.into_iter().find(|&by| holds_everywhere(explorer, subject, by, None));
    let Some(by) = by else { return };
    for asked in (0..n_invariants).filter(|&asked| asked != by && name(asked) != name(by)) {
        if holds_everywhere(explorer, subject, by, Some(asked)) {
            let is_it = |tallied: &&mut Tallied| {
                tallied.property.kind == PropertyKind::Invariant && tallied.property.name == name(asked)
            };
            properties.iter_mut().filter(is_it).for_each(|tallied| tallied.implied_by = Some(name(by)));
        }
    }
}

/// Whether the states of the invariant `by` can all be visited, and `asked` holds in each.
fn holds_everywhere(explorer: &Explorer<'_>, subject: Subject<'_>, by: usize, asked: Option<usize>) -> bool {
    let Lowered { program, .. } = lower(subject.spec, subject.config, subject.atoms);
    let program = Program {
        init: vec![program.invariants[by]],
        next: Some((ActionTree::Or(Vec::new()), 0)),
        invariants: asked.map(|asked| program.invariants[asked]).into_iter().collect(),
        implied_inits: Vec::new(),
        step_properties: Vec::new(),
        fairness: Vec::new(),
        temporal: Vec::new(),
        constraints: Vec::new(),
        action_constraints: Vec::new(),
        assumptions: Vec::new(),
        postconditions: Vec::new(),
        possible: Vec::new(),
        symmetry: None,
        view: None,
        alias: None,
        periodic: None,
        ..program
    };
    let model = Model { spec: subject.spec, program: &program };
    let time = explorer.budget.left().map(|left| left / TIME_SHARE);
    let effort = SearchEffort {
        states_max: STATES_MAX,
        time_max: time,
        n_workers: explorer.options.n_workers,
        counts_evaluations: false,
    };
    let answer = explorer.search(model, Asks { deadlock: false }, effort);
    matches!(answer.outcome, Ok(Verdict::Holds))
}
