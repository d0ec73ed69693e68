//! Following a trace: layers of states that its states can mean, each with the one that it follows.

use check::Model;
use check::kit;
use eval::Owned;
use eval::interp::{ActionInstance, Flow, Machine};
use trace::given::{GivenState, GivenStep};
use trace::{Datum, Ending, State, Step, Trace};
use value::{Interner, Value, ValueId};

use crate::answer::BreakKind;
use crate::walk::Context;

/// So many states are followed side by side; where a trace leaves more open, the first are.
const LAYER_LEN_MAX: usize = 1_000;
/// So many behaviours are judged.
const PATHS_MAX: usize = 32;

/// A state that a state of the trace can mean.
struct Node {
    ids: Vec<ValueId>,
    /// In the layer before.
    parent: usize,
    step: Option<Step>,
    /// Whether the trace calls the step so.
    is_named: bool,
}

/// A behaviour.
pub(crate) struct Path {
    pub states: Vec<Vec<ValueId>>,
    pub steps: Vec<Option<Step>>,
    /// As in [`trace::given::Given`].
    pub back_to: Option<usize>,
    pub last_step: Option<Step>,
}

pub(crate) enum Followed {
    /// At least one.
    Paths(Vec<Path>),
    /// The behaviour up to where it is none, if its first state is one.
    Broken { path: Option<Path>, at: BreakKind },
}

pub(crate) struct Follower<'a> {
    context: &'a Context<'a>,
    layers: Vec<Vec<Node>>,
}

impl<'a> Follower<'a> {
    pub fn new(context: &'a Context<'a>) -> Self {
        Follower { context, layers: Vec::new() }
    }

    pub fn follow(mut self) -> Followed {
        for (index, given) in self.context.given.states.iter().enumerate() {
            let layer = match self.layers.last() {
                None => initial(self.context, given),
                Some(_) => self.after(given, index),
            };
            if layer.is_empty() {
                let path = (index > 0).then(|| self.path(0));
                let at = if index == 0 { BreakKind::Initial } else { BreakKind::Step };
                return Followed::Broken { path, at };
            }
            self.layers.push(layer);
        }
        self.close()
    }

    /// The states that can follow one of the last layer and be the given one.
    fn after(&self, given: &GivenState, index: usize) -> Vec<Node> {
        let (context, before) = (self.context, &self.layers[index - 1]);
        let name = given.step.as_ref();
        let mut layer: Vec<Node> = Vec::new();
        for (parent, node) in before.iter().enumerate() {
            let history = if context.keeps_history {
                self.path(parent).history(context, index - 1)
            } else {
                Vec::new()
            };
            context.run.stand_at(index as u32, history);
            successors(context, &node.ids, &mut |machine, action| {
                if is_given(context, machine.next(), given)
                    && let Some(ids) = kit::interned(machine, false)
                    && is_aliased(context, (&node.ids, &ids), index - 1)
                {
                    let step = kit::step(context.model.spec, machine, action);
                    let is_named = name.is_none_or(|name| is_called(&step, name));
                    add(&mut layer, Node { ids, parent, step: Some(step), is_named });
                }
                if layer.len() < LAYER_LEN_MAX { Flow::Continue } else { Flow::Stop }
            });
            // Every behaviour may stay where it is for a while.
            let state: Vec<Option<Value<'_>>> = values(&node.ids).map(Some).collect();
            if is_given(context, &state, given) && is_aliased(context, (&node.ids, &node.ids), index - 1) {
                let is_named = name.is_none();
                add(&mut layer, Node { ids: node.ids.clone(), parent, step: None, is_named });
            }
        }
        layer
    }

    /// The behaviours, with the step back where the trace has one.
    fn close(&self) -> Followed {
        let n_ends = self.layers.last().map_or(0, Vec::len);
        let paths: Vec<Path> = (0..n_ends.min(PATHS_MAX)).map(|end| self.path(end)).collect();
        let paths: Vec<Path> = paths.into_iter().filter(|path| path.has_alias_at_end(self.context)).collect();
        if paths.is_empty() {
            return self.broken_at_end();
        }
        let Some(back_to) = self.context.given.back_to else { return Followed::Paths(paths) };
        let closed: Vec<Path> =
            paths.into_iter().filter_map(|path| closed(self.context, path, back_to)).collect();
        match closed.is_empty() {
            true => Followed::Broken { path: Some(self.path(0)), at: BreakKind::Back },
            false => Followed::Paths(closed),
        }
    }

    /// The last state is not what the trace shows of it.
    fn broken_at_end(&self) -> Followed {
        let mut path = self.path(0);
        path.states.pop();
        path.steps.pop();
        match path.states.is_empty() {
            true => Followed::Broken { path: None, at: BreakKind::Initial },
            false => Followed::Broken { path: Some(path), at: BreakKind::Step },
        }
    }

    /// The behaviour that ends in a state of the last layer.
    fn path(&self, end: usize) -> Path {
        let (mut states, mut steps, mut at) = (Vec::new(), Vec::new(), end);
        for layer in self.layers.iter().rev() {
            let node = &layer[at];
            states.push(node.ids.clone());
            steps.push(node.step.clone());
            at = node.parent;
        }
        states.reverse();
        steps.reverse();
        Path { states, steps, back_to: None, last_step: None }
    }
}

impl Path {
    /// The states before one of them, as records, if the specification can ask for them.
    pub fn history(&self, context: &Context<'_>, index: usize) -> Vec<Owned> {
        if !context.keeps_history {
            return Vec::new();
        }
        self.states[..index].iter().map(|ids| record(context.model, ids)).collect()
    }

    /// Where the step leads that closes the cycle.
    pub fn after_last(&self) -> Option<&Vec<ValueId>> {
        self.states.get(self.back_to?)
    }

    /// The behaviour to the state that a cycle leads back to, once more.
    pub fn with_step_back(&self) -> Path {
        let (mut states, mut steps) = (self.states.clone(), self.steps.clone());
        if let Some(after) = self.after_last() {
            states.push(after.clone());
            steps.push(self.last_step.clone());
        }
        Path { states, steps, back_to: None, last_step: None }
    }

    /// Whether the last state can be what the trace shows of it, where that is an ALIAS.
    fn has_alias_at_end(&self, context: &Context<'_>) -> bool {
        let last = self.states.len() - 1;
        let after = context.given.back_to.and_then(|to| self.states.get(to)).unwrap_or(&self.states[last]);
        context.run.stand_at(last as u32 + 1, self.history(context, last));
        is_aliased(context, (&self.states[last], after), last)
    }

    /// The same as the ALIAS shows it, with the expressions that were asked for.
    pub fn shown(&self, context: &Context<'_>) -> Trace {
        let model = context.model;
        let mut trace = self.trace(model);
        if let Some(root) = model.program.alias {
            kit::show_alias(&mut trace, |index| {
                self.in_state(context, index, |machine| kit::alias_fields(model, machine, root))
            });
        }
        kit::show_expressions(model, &mut trace, |index| {
            Ok(self.in_state(context, index, |machine| kit::expressions(model, machine)))
        });
        trace
    }

    /// Evaluates in a state, with the one that follows. TLC: after the last one comes itself, or where a cycle leads.
    fn in_state<T>(
        &self,
        context: &Context<'_>,
        index: usize,
        body: impl FnOnce(&mut Machine<'_, '_>) -> T,
    ) -> T {
        let region = check::kit::QuietRun::region(context.run);
        let mut machine = Machine::new(context.model.program, context.shared, &region, context.run);
        let after = self.states.get(index + 1).unwrap_or(&self.states[self.back_to.unwrap_or(index)]);
        machine.set_state(values(&self.states[index]));
        machine.set_next(values(after));
        context.run.stand_at(index as u32 + 1, self.history(context, index));
        body(&mut machine)
    }

    /// As a trace that does not say what it shows.
    pub fn trace(&self, model: Model<'_>) -> Trace {
        let mut trace = kit::no_states(model);
        for (ids, step) in self.states.iter().zip(&self.steps) {
            let values = values(ids).map(|value| Some(kit::datum(value))).collect();
            trace.states.push(State { step: step.clone(), values });
        }
        trace.ending = match self.back_to {
            None => Ending::Stop,
            Some(to) if to + 1 == self.states.len() => Ending::Stuttering,
            Some(to) => Ending::Loop { to, step: self.last_step.clone() },
        };
        trace
    }
}

/// A state as a record.
fn record(model: Model<'_>, ids: &[ValueId]) -> Owned {
    let fields = model.program.variable_atoms.iter().zip(values(ids));
    let fields = fields.filter_map(|(&name, value)| Some((Owned::Atom(name), Owned::opt_copy(value)?)));
    Owned::Function(fields.collect())
}

/// The values with these ids.
pub(crate) fn values<'r>(ids: &[ValueId]) -> impl Iterator<Item = Value<'r>> {
    ids.iter().map(|&id| -> Value<'r> { Interner::shared().value(id) })
}

/// Whether a state can be the given one.
fn is_given(context: &Context<'_>, state: &[Option<Value<'_>>], given: &GivenState) -> bool {
    context.columns.iter().zip(state).all(|(column, value)| is_value(*column, *value, given))
}

/// Whether a state and the next one can be what the trace shows of the state with this index, where that is an ALIAS.
fn is_aliased(context: &Context<'_>, (ids, after): (&[ValueId], &[ValueId]), index: usize) -> bool {
    let (Some(root), Some(given)) = (context.alias, context.given.states.get(index)) else { return true };
    let region = check::kit::QuietRun::region(context.run);
    let mut machine = Machine::new(context.model.program, context.shared, &region, context.run);
    machine.set_state(values(ids));
    machine.set_next(values(after));
    let Ok(fields) = kit::alias_fields(context.model, &mut machine, root) else { return false };
    let mut named = context.given.variables.iter().zip(&given.values);
    named.all(|(name, value)| {
        let field = fields.iter().find(|(field, _)| field == name);
        value.as_ref().is_none_or(|value| field.is_some_and(|(_, field)| value.is(field)))
    })
}

fn is_value(column: Option<usize>, value: Option<Value<'_>>, given: &GivenState) -> bool {
    match (column.and_then(|column| given.values.get(column)?.as_ref()), value) {
        (None, _) => true,
        (Some(given), Some(value)) => given.is(&kit::datum(value)),
        (Some(_), None) => false,
    }
}

fn initial(context: &Context<'_>, given: &GivenState) -> Vec<Node> {
    let region = check::kit::QuietRun::region(context.run);
    let mut machine = Machine::new(context.model.program, context.shared, &region, context.run);
    context.run.stand_at(0, Vec::new());
    let mut layer: Vec<Node> = Vec::new();
    // What has no value is told when the trace is judged, or why it is none.
    let _ = machine.initial_states(&context.model.program.init, &mut |machine| {
        if machine.n_missing() == 0
            && kit::ground_state(machine).is_ok()
            && is_given(context, machine.state(), given)
            && let Some(ids) = kit::interned(machine, true)
        {
            add(&mut layer, Node { ids, parent: 0, step: None, is_named: true });
        }
        Ok(if layer.len() < LAYER_LEN_MAX { Flow::Continue } else { Flow::Stop })
    });
    layer
}

/// Calls `found` for each complete successor of a state by each action. The machine has recorded the step.
pub(crate) fn successors<'a>(
    context: &Context<'a>,
    ids: &[ValueId],
    found: &mut dyn FnMut(&mut Machine<'a, '_>, &ActionInstance<'a>) -> Flow,
) {
    let region = check::kit::QuietRun::region(context.run);
    let mut machine = Machine::new(context.model.program, context.shared, &region, context.run);
    machine.set_recording(true);
    machine.set_state(values(ids));
    for action in context.actions {
        let walked = machine.step(action, &mut |machine| {
            if machine.n_missing() > 0 || kit::ground_next(machine).is_err() {
                return Ok(Flow::Continue);
            }
            Ok(found(machine, action))
        });
        if matches!(walked, Ok(Flow::Stop)) {
            return;
        }
    }
}

/// A state once, with the step that the trace names if there is one.
fn add(layer: &mut Vec<Node>, node: Node) {
    match layer.iter_mut().find(|known| known.ids == node.ids) {
        Some(known) if known.is_named || !node.is_named => {}
        Some(known) => *known = node,
        None => layer.push(node),
    }
}

/// Whether a step has this name, and the parameters of the same names are these.
fn is_called(step: &Step, given: &GivenStep) -> bool {
    let is_same = |name: &String, value: &Datum| {
        given.parameters.iter().find(|(known, _)| known == name).is_none_or(|(_, known)| known.is(value))
    };
    step.name == given.name && step.parameters.iter().all(|known| is_same(&known.name, &known.value))
}

/// The behaviour with its step back, if there is one.
fn closed(context: &Context<'_>, mut path: Path, back_to: usize) -> Option<Path> {
    let (last, target) = (path.states.last()?, path.states.get(back_to)?);
    path.back_to = Some(back_to);
    if last == target {
        return Some(path);
    }
    let mut found: Option<(bool, Step)> = None;
    let n_states = path.states.len();
    context.run.stand_at(n_states as u32, path.history(context, n_states - 1));
    successors(context, last, &mut |machine, action| {
        if kit::interned(machine, false).as_ref() == Some(target) {
            let step = kit::step(context.model.spec, machine, action);
            let is_named = context.given.last_step.as_ref().is_none_or(|name| is_called(&step, name));
            if is_named || found.is_none() {
                found = Some((is_named, step));
            }
        }
        if matches!(found, Some((true, _))) { Flow::Stop } else { Flow::Continue }
    });
    let (_, step) = found?;
    path.last_step = Some(step);
    Some(path)
}
