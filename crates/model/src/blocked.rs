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
/// So many guards of one action are shown.
const GUARDS_MAX: usize = 3;
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
    let lines = blocked.iter().take(ACTIONS_MAX).flat_map(BlockedAction::lines);
    let mut diagnostic = lines.fold(diagnostic, Diagnostic::note);
    if let Some(n_more) = blocked.len().checked_sub(ACTIONS_MAX).filter(|&n_more| n_more > 0) {
        diagnostic = diagnostic.note(format!("{} not possible either", count(n_more, "more action")));
    }
    if blocked.iter().flat_map(|action| &action.misses).any(|miss| miss.is_cut_off) {
        diagnostic = diagnostic.note(ONLY_CONSTRAINTS);
    }
    diagnostic
}

/// An action that is no step, with the reasons of its instances.
#[derive(Default)]
struct BlockedAction {
    /// One for each guard that is the first false one of some instances; those with most conjuncts that hold come first.
    misses: Vec<Miss>,
}

/// A reason why instances of an action are no step of a behaviour.
struct Miss {
    /// The name of the instance that was first found to stop here.
    instance: String,
    /// The false conjunct and its place: what instances are grouped by.
    guard: String,
    /// The values that the conjunct reads, for this instance.
    values: String,
    /// Number of conjuncts that hold.
    n_passed: usize,
    /// Number of other instances that stop here.
    n_others: usize,
    /// Whether it is a step, but one that a constraint cuts off.
    is_cut_off: bool,
}

impl BlockedAction {
    fn add(&mut self, miss: Miss) {
        let is_same = |known: &&mut Miss| known.guard == miss.guard && known.is_cut_off == miss.is_cut_off;
        match self.misses.iter_mut().find(is_same) {
            Some(known) => known.n_others += 1,
            None => {
                let at = self.misses.partition_point(|known| known.n_passed >= miss.n_passed);
                self.misses.insert(at, miss);
            }
        }
    }

    /// A line for each guard, and one for the instances whose guards are not shown.
    fn lines(&self) -> impl Iterator<Item = String> {
        let n_hidden: usize = self.misses.iter().skip(GUARDS_MAX).map(|miss| 1 + miss.n_others).sum();
        let hidden = (n_hidden > 0)
            .then(|| format!("{} of it stopped by other guards", count(n_hidden, "more instance")));
        self.misses.iter().take(GUARDS_MAX).map(Miss::line).chain(hidden)
    }
}

impl Miss {
    fn line(&self) -> String {
        let Miss { instance, guard, values, .. } = self;
        let how = if self.is_cut_off { "cut off by a constraint" } else { "not possible" };
        let others = match self.n_others {
            0 => String::new(),
            n_others => format!("; {} stopped there too", count(n_others, "other instance")),
        };
        format!("`{instance}` is {how}: {guard}{values}{others}")
    }
}

/// The actions with the guards that stop their instances, in the order of the specification.
fn find_misses<'a>(
    model: Model<'_>,
    machine: &mut Machine<'a, '_>,
    actions: &[ActionInstance<'a>],
) -> Vec<BlockedAction> {
    let mut blocked: FxIndexMap<Name, BlockedAction> = FxIndexMap::default();
    for action in actions {
        if let Some(miss) = miss(model, machine, action) {
            blocked.entry(action.leaf.name).or_default().add(miss);
        }
    }
    blocked.into_values().collect()
}

fn miss<'a>(model: Model<'_>, machine: &mut Machine<'a, '_>, action: &ActionInstance<'a>) -> Option<Miss> {
    let instance = trace::step_text(&name_step(model, machine, action));
    let (failure, n_passed, is_cut_off) = match machine.nearest_miss(action).ok()? {
        Some(miss) => (explain::describe_culprit(model, machine, miss.culprit), miss.n_passed, false),
        None => (cut_off(model, machine, action)?, usize::MAX, true),
    };
    let (guard, values) = (guard_text(&failure), values_text(&failure));
    Some(Miss { instance, guard, values, n_passed, n_others: 0, is_cut_off })
}

/// "`n < Max` is FALSE, Counter.tla:6:11"
fn guard_text(failure: &Failure) -> String {
    let mut text = format!("`{}` is FALSE", cut_text(&failure.text));
    if let Some(place) = &failure.place {
        text += &format!(", {}:{}:{}", place.file, place.start.line, place.start.column);
    }
    text
}

/// " (n is 4)"
fn values_text(failure: &Failure) -> String {
    let value = |binding: &Binding| format!("{} is {}", binding.name, cut_text(&binding.value.to_string()));
    let values: Vec<String> = failure.values.iter().take(VALUES_MAX).map(value).collect();
    if values.is_empty() { String::new() } else { format!(" ({})", values.join(", ")) }
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
