//! Runs the specification as it is: determines how it can be explored, and which parts of its properties are idle.

use std::time::Duration;

use diag::Diagnostic;
use eval::ir::{Program, Root};
use model::{Coverage, Limit, Model, NoVerdict, PropertyKind, Verdict};

use crate::judge::{Explorer, STATES_FIRST, SearchEffort};
use crate::options::Options;
use crate::report::{Base, Refusal, Tallied};

/// The search may take one in this many parts of the time; if it is not done by then, walks are made instead.
const SEARCH_SHARE: u32 = 4;

/// The result of the specification as it is.
pub(crate) struct BaseRun {
    pub base: Base,
    pub coverage: Option<Coverage>,
    pub warnings: Vec<Diagnostic>,
}

/// Explores every state if there are few enough, and makes walks otherwise.
pub(crate) fn run(explorer: &Explorer<'_>, model: Model<'_>) -> Result<BaseRun, Refusal> {
    let options = explorer.options;
    let time = explorer.budget.left().map(|left: Duration| left / SEARCH_SHARE);
    let effort = SearchEffort {
        states_max: options.states_max,
        time_max: time,
        n_workers: options.n_workers,
        counts_evaluations: true,
    };
    let answer = explorer.search(model, explorer.asks(), effort);
    match answer.outcome {
        Ok(Verdict::Holds) => Ok(BaseRun {
            base: Base::Exhaustive(answer.counts),
            coverage: answer.coverage,
            warnings: answer.warnings,
        }),
        Err(NoVerdict::Limit(Limit::States(_) | Limit::Time)) => walk(explorer, model),
        outcome => Err(Refusal::Base(Box::new(outcome))),
    }
}

fn walk(explorer: &Explorer<'_>, model: Model<'_>) -> Result<BaseRun, Refusal> {
    let options = explorer.options;
    let answer = explorer.walk((model, explorer.asks()), explorer.budget.left(), (options.n_workers, true));
    match answer.outcome {
        Ok(Verdict::Holds) => Ok(BaseRun {
            base: describe_walks(options, &answer.statistics),
            coverage: answer.coverage,
            warnings: answer.warnings,
        }),
        outcome => Err(Refusal::Base(Box::new(outcome))),
    }
}

fn describe_walks(options: &Options<'_>, statistics: &simulate::Statistics) -> Base {
    Base::Simulated {
        n_walks: statistics.n_walks,
        depth: options.depth,
        seed: options.seed,
        n_states: statistics.distinct.number(),
        n_first: STATES_FIRST,
    }
}

/// Returns every property of the program, with no mutant caught yet. `is_walked` leaves out those that walks do not
/// check.
pub(crate) fn properties(model: Model<'_>, is_walked: bool, checks_deadlock: bool) -> Vec<Tallied> {
    let program = model.program;
    let mut tallied = Vec::new();
    let mut add = |kind: PropertyKind, root: &Root| {
        let property =
            model::Property { kind, name: model::root_name(model.spec, root), span: Some(root.span) };
        tallied.push(Tallied::new(property, is_constant(program, root)));
    };
    program.invariants.iter().for_each(|root| add(PropertyKind::Invariant, root));
    program.step_properties.iter().for_each(|property| add(PropertyKind::Step, &property.root));
    if !is_walked {
        program.implied_inits.iter().for_each(|root| add(PropertyKind::Initial, root));
    }
    program.possible.iter().for_each(|root| add(PropertyKind::Possible, root));
    program.postconditions.iter().for_each(|root| add(PropertyKind::Postcondition, root));
    for root in &program.temporal {
        let name = model.spec.names.text(root.name).to_owned();
        let property = model::Property { kind: PropertyKind::Temporal, name, span: Some(root.span) };
        tallied.push(Tallied::new(property, false));
    }
    if checks_deadlock {
        let property =
            model::Property { kind: PropertyKind::Deadlock, name: "deadlock".to_owned(), span: None };
        tallied.push(Tallied::new(property, false));
    }
    tallied
}

/// Returns the properties that walks do not check.
pub(crate) fn list_unwatched(model: Model<'_>) -> Vec<String> {
    let initial = model.program.implied_inits.iter().map(|root| model::root_name(model.spec, root));
    let mut names: Vec<String> = initial.collect();
    names.dedup();
    names
}

/// Whether a property reads neither the state nor the run: since it holds once, it holds always.
fn is_constant(program: &Program, root: &Root) -> bool {
    let facts = program.irs[root.expr].facts;
    !facts.reads_state && !facts.reads_next && !facts.impure && !facts.dynamic
}
