//! Why a state has no successor: for each action the conjunct that keeps it from being a step.

use base::{FxIndexMap, Name};
use diag::Diagnostic;
use diag::render::count;
use eval::interp::{ActionInstance, Flow, Machine};
use eval::ir::Root;
use trace::{Binding, Failure, Step};

use crate::Model;
use crate::names::place;
use crate::{data, explain, step_names};

/// So many actions are named.
const ACTIONS_MAX: usize = 12;
/// So many values of a conjunct are shown, each cut after so many characters.
const VALUES_MAX: usize = 4;
const VALUE_CHARS_MAX: usize = 60;
/// The words for a walk that only a constraint ends.
const ONLY_CONSTRAINTS: &str =
    "without the constraints there is a step: a walk ends here, and `check` does not call it a deadlock";

/// Adds to what is said of a deadlock why no action is possible in the state that the machine is in, and how deadlocks are
/// allowed.
pub fn explain_deadlock<'a>(
    model: Model<'_>,
    machine: &mut Machine<'a, '_>,
    actions: &[ActionInstance<'a>],
    diagnostic: Diagnostic,
) -> Diagnostic {
    let blocked = find_misses(model, machine, actions);
    let shown = blocked.iter().take(ACTIONS_MAX);
    let mut diagnostic = shown.fold(diagnostic, |diagnostic, miss| diagnostic.note(miss.line.clone()));
    if let Some(n_more) = blocked.len().checked_sub(ACTIONS_MAX).filter(|&n_more| n_more > 0) {
        diagnostic = diagnostic.note(format!("{} not possible either", count(n_more, "more action")));
    }
    if blocked.iter().any(|miss| miss.is_cut_off) {
        diagnostic = diagnostic.note(ONLY_CONSTRAINTS);
    }
    diagnostic
}

/// A reason why an action is no step of a behaviour.
struct Miss {
    line: String,
    /// Number of conjuncts that hold.
    n_passed: usize,
    /// Whether it is a step, but one that a constraint cuts off.
    is_cut_off: bool,
}

/// A line for each action; of several instances of one, that which came nearest to a step.
fn find_misses<'a>(
    model: Model<'_>,
    machine: &mut Machine<'a, '_>,
    actions: &[ActionInstance<'a>],
) -> Vec<Miss> {
    let mut nearest: FxIndexMap<Name, Miss> = FxIndexMap::default();
    for action in actions {
        let Some(miss) = miss(model, machine, action) else { continue };
        let known = nearest.get(&action.leaf.name);
        if known.is_none_or(|known| miss.n_passed > known.n_passed) {
            nearest.insert(action.leaf.name, miss);
        }
    }
    nearest.into_values().collect()
}

fn miss<'a>(model: Model<'_>, machine: &mut Machine<'a, '_>, action: &ActionInstance<'a>) -> Option<Miss> {
    let name = trace::step_text(&name_step(model, machine, action));
    match machine.nearest_miss(action).ok()? {
        Some(miss) => {
            let failure = explain::describe_culprit(model, machine, miss.culprit);
            let line = format!("`{name}` is not possible: {}", words(&failure));
            Some(Miss { line, n_passed: miss.n_passed, is_cut_off: false })
        }
        None => {
            let failure = cut_off(model, machine, action)?;
            let line = format!("`{name}` is cut off by a constraint: {}", words(&failure));
            Some(Miss { line, n_passed: usize::MAX, is_cut_off: true })
        }
    }
}

/// "`n < Max` is FALSE, Counter.tla:6:11 (n is 4)"
fn words(failure: &Failure) -> String {
    let mut text = format!("`{}` is FALSE", cut_text(&failure.text));
    if let Some(place) = &failure.place {
        text += &format!(", {}:{}:{}", place.file, place.start.line, place.start.column);
    }
    let value = |binding: &Binding| format!("{} is {}", binding.name, cut_text(&binding.value.to_string()));
    let values: Vec<String> = failure.values.iter().take(VALUES_MAX).map(value).collect();
    if !values.is_empty() {
        text += &format!(" ({})", values.join(", "));
    }
    text
}

fn cut_text(text: &str) -> String {
    match text.char_indices().nth(VALUE_CHARS_MAX) {
        Some((at, _)) => format!("{}...", &text[..at]),
        None => text.to_owned(),
    }
}

/// The part of a constraint that cuts off a step of an action, if one does.
fn cut_off<'a>(
    model: Model<'_>,
    machine: &mut Machine<'a, '_>,
    action: &ActionInstance<'a>,
) -> Option<Failure> {
    let mut failure = None;
    let walked = machine.step(action, &mut |machine| {
        failure = failing_constraint(model, machine);
        Ok(Flow::Stop)
    });
    walked.ok()?;
    failure
}

/// The part of a constraint that cuts off the step which was just made.
pub fn failing_constraint(model: Model<'_>, machine: &mut Machine<'_, '_>) -> Option<Failure> {
    let program = model.program;
    let of_state = |root: &Root, machine: &mut Machine<'_, '_>| {
        machine.in_next(|machine| explain::failing_part(model, machine, *root))
    };
    let part = program.constraints.iter().find_map(|root| of_state(root, machine));
    let part = part.or_else(|| {
        program.action_constraints.iter().find_map(|root| explain::failing_part(model, machine, *root))
    });
    part.map(|(_, part)| part)
}

/// The step that an action would be, with its parameters.
pub fn name_step<'a>(model: Model<'_>, machine: &mut Machine<'a, '_>, action: &ActionInstance<'a>) -> Step {
    let mut parameters: Vec<Binding> = Vec::new();
    for (name, value) in machine.action_params(action) {
        let name = model.spec.names.text(name);
        if !parameters.iter().any(|known| known.name == name) {
            parameters.push(Binding::new(name, data::datum(value)));
        }
    }
    let name = step_names::join(&step_names::step_names(model, action.leaf));
    Step { name, place: Some(place(model.spec, action.leaf.span)), parameters }
}
