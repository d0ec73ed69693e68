//! Following a trace: layers of states that its states can mean, each with those that it can follow.

use base::FxHashMap;
use eval::interp::{ActionInstance, Flow, Machine};
use model::{QuietRun, Side};
use trace::given::{GivenState, GivenStep};
use trace::{Datum, Step};
use value::{Value, ValueId};

use crate::answer::BreakKind;
use crate::path::{Path, values};
use crate::walk::Context;

/// Number of states that are followed side by side, at most.
const LAYER_LEN_MAX: usize = 10_000;
/// Number of behaviours that are judged, at most.
const PATHS_MAX: usize = 1_000;
/// Number of behaviours that are looked at to find those, at most.
const TRIES_MAX: usize = 20_000;

/// A state that a state of the trace can mean.
struct Node {
    ids: Vec<ValueId>,
    /// Steps, at least one; those that the trace names come first.
    edges: Vec<Edge>,
}

/// A step to a state.
struct Edge {
    /// Index of its parent in the layer before.
    parent: usize,
    step: Option<Step>,
    /// Whether the trace calls the step so.
    is_named: bool,
}

/// The states that one state of the trace can mean.
#[derive(Default)]
struct Layer {
    nodes: Vec<Node>,
    known: FxHashMap<Vec<ValueId>, usize>,
    /// Whether there are more.
    is_cut: bool,
}

pub(crate) enum Followed {
    /// At least one. Where it is cut there may be more.
    Paths { paths: Vec<Path>, is_cut: bool },
    /// The behaviour up to where it is none, if its first state is one.
    Broken { path: Option<Path>, at: BreakKind },
    /// The trace is one state that some variable has no value in, and so is an initial one.
    UnfinishedStart,
    /// Nothing was found, and not everything was looked at.
    Unknown,
}

pub(crate) struct Follower<'a> {
    context: &'a Context<'a>,
    layers: Vec<Layer>,
    /// Index of the state after the last one, as in [`trace::given::Given`].
    back_to: Option<usize>,
}

impl<'a> Follower<'a> {
    pub fn new(context: &'a Context<'a>) -> Self {
        Follower { context, layers: Vec::new(), back_to: context.given.back_to }
    }

    pub fn follow(mut self) -> Followed {
        let n_states = self.context.given.states.len();
        for (index, given) in self.context.given.states.iter().enumerate() {
            if index + 1 == n_states && is_unfinished(self.context, given) {
                if index == 0 && starts_unfinished(self.context, given) {
                    return Followed::UnfinishedStart;
                }
                let ends = self.before_unfinished(given);
                if !ends.is_empty() {
                    // What was found is that the next state is unfinished: a cycle by way of it is none.
                    self.back_to = None;
                    return self.close(&ends);
                }
            }
            let layer = match self.layers.last() {
                None => initial(self.context, given),
                Some(_) => self.after(given, index),
            };
            if layer.nodes.is_empty() {
                let path = (index > 0).then(|| self.first_path(index - 1, 0));
                let at = if index == 0 { BreakKind::Initial } else { BreakKind::Step };
                return self.break_off(path, at, layer.is_cut);
            }
            self.layers.push(layer);
        }
        let n_ends = self.layers.last().map_or(0, |layer| layer.nodes.len());
        self.close(&(0..n_ends).collect::<Vec<usize>>())
    }

    /// The states of the last layer that a state can follow which has no value where the given one has none.
    fn before_unfinished(&self, given: &GivenState) -> Vec<usize> {
        let Some(layer) = self.layers.last() else { return Vec::new() };
        let index = self.layers.len() - 1;
        let is_before = |&end: &usize| {
            self.stand_at(index, end);
            has_unfinished(self.context, &layer.nodes[end].ids, given)
        };
        (0..layer.nodes.len()).filter(is_before).collect()
    }

    /// The state of this layer has its level and what came before.
    fn stand_at(&self, index: usize, at: usize) {
        let history = match self.context.keeps_history {
            true => self.first_path(index, at).history(self.context, index),
            false => Vec::new(),
        };
        self.context.run.stand_at(index as u32 + 1, history);
    }

    /// The states that can follow one of the last layer and be the given one.
    fn after(&self, given: &GivenState, index: usize) -> Layer {
        let (context, before) = (self.context, &self.layers[index - 1]);
        let name = given.step.as_ref();
        let mut layer = Layer::default();
        for (parent, node) in before.nodes.iter().enumerate() {
            self.stand_at(index - 1, parent);
            successors(context, &node.ids, &mut |machine, action| {
                if is_given(context, machine.next(), given)
                    && let Some(ids) = model::intern_made(machine, Side::Next)
                    && is_aliased(context, (&node.ids, &ids), index - 1)
                {
                    let step = model::step(context.model.spec, machine, action);
                    let is_named = name.is_none_or(|name| is_called(&step, name));
                    layer.add(ids, Edge { parent, step: Some(step), is_named });
                }
                if layer.is_cut { Flow::Stop } else { Flow::Continue }
            });
            // Every behaviour may stay where it is for a while.
            let state: Vec<Option<Value<'_>>> = values(&node.ids).map(Some).collect();
            if is_given(context, &state, given) && is_aliased(context, (&node.ids, &node.ids), index - 1) {
                layer.add(node.ids.clone(), Edge { parent, step: None, is_named: name.is_none() });
            }
            if layer.is_cut {
                break;
            }
        }
        layer
    }

    /// The behaviours that end in these states, with the step back where the trace has one.
    fn close(&self, ends: &[usize]) -> Followed {
        let (mut paths, mut n_tries, mut at) = (Vec::new(), 0, BreakKind::Step);
        let mut is_cut = self.is_cut();
        'ends: for &end in ends {
            let mut choices = Some(vec![0; self.layers.len()]);
            while let Some(chosen) = choices {
                if n_tries == TRIES_MAX || paths.len() == PATHS_MAX {
                    is_cut = true;
                    break 'ends;
                }
                n_tries += 1;
                let path = self.path((self.layers.len() - 1, end), &chosen);
                if self.has_alias_at_end(&path) {
                    at = BreakKind::Back;
                    paths.extend(self.step_back(path));
                }
                choices = self.next_choices(end, chosen);
            }
        }
        match (paths.is_empty(), at) {
            (false, _) => Followed::Paths { paths, is_cut },
            (true, BreakKind::Back) => {
                let path = self.first_path(self.layers.len() - 1, ends[0]);
                self.break_off(Some(path), BreakKind::Back, is_cut)
            }
            (true, BreakKind::Initial | BreakKind::Step) => self.broken_at_end(is_cut),
        }
    }

    /// Whether something may have been left out.
    fn is_cut(&self) -> bool {
        // What a specification says of a state by what came before was looked at for one of several pasts.
        let has_pasts = |layer: &Layer| layer.nodes.iter().any(|node| node.edges.len() > 1);
        let is_cut = |layer: &Layer| layer.is_cut || self.context.keeps_history && has_pasts(layer);
        self.layers.iter().any(is_cut)
    }

    /// Makes the result for a trace that is no behaviour, if that is known.
    fn break_off(&self, path: Option<Path>, at: BreakKind, is_cut: bool) -> Followed {
        match is_cut || self.is_cut() {
            true => Followed::Unknown,
            false => Followed::Broken { path, at },
        }
    }

    /// The last state is not what the trace shows of it.
    fn broken_at_end(&self, is_cut: bool) -> Followed {
        match self.layers.len() {
            0 | 1 => self.break_off(None, BreakKind::Initial, is_cut),
            n_layers => {
                // Up to before the last state of the trace, as the step to it is what is explained.
                let n_before = n_layers.min(self.context.given.states.len() - 1);
                self.break_off(Some(self.first_path(n_before - 1, 0)), BreakKind::Step, is_cut)
            }
        }
    }

    fn first_path(&self, layer: usize, end: usize) -> Path {
        self.path((layer, end), &vec![0; layer + 1])
    }

    /// The behaviour that ends in this state of a layer, by the steps that are chosen for each layer.
    fn path(&self, (last, end): (usize, usize), choices: &[usize]) -> Path {
        let (mut states, mut steps, mut at) = (Vec::new(), Vec::new(), end);
        for (layer, &choice) in self.layers[..=last].iter().zip(choices).rev() {
            let node = &layer.nodes[at];
            let edge = &node.edges[choice];
            states.push(node.ids.clone());
            steps.push(edge.step.clone());
            at = edge.parent;
        }
        states.reverse();
        steps.reverse();
        Path { states, steps, back_to: None, last_step: None, after: None }
    }

    /// The choices for another behaviour to the same end: the first layer that has another step takes it, and the ones
    /// before it begin again.
    fn next_choices(&self, end: usize, mut choices: Vec<usize>) -> Option<Vec<usize>> {
        let mut at = end;
        let mut n_edges = vec![0; choices.len()];
        for (index, layer) in self.layers.iter().enumerate().rev() {
            let edges = &layer.nodes[at].edges;
            n_edges[index] = edges.len();
            at = edges[choices[index]].parent;
        }
        let index = (0..choices.len()).find(|&index| choices[index] + 1 < n_edges[index])?;
        choices[index] += 1;
        choices[..index].fill(0);
        Some(choices)
    }

    /// Whether the last state can be what the trace shows of it, where that is an ALIAS.
    fn has_alias_at_end(&self, path: &Path) -> bool {
        let last = path.states.len() - 1;
        let after = self.back_to.and_then(|to| path.states.get(to)).unwrap_or(&path.states[last]);
        self.context.run.stand_at(last as u32 + 1, path.history(self.context, last));
        // Before an unfinished state there is no step that an ALIAS could be evaluated for.
        let is_whole = path.states.len() == self.context.given.states.len();
        !is_whole || is_aliased(self.context, (&path.states[last], after), last)
    }

    /// Returns the behaviour with its step back, if there is to be one.
    fn step_back(&self, path: Path) -> Option<Path> {
        match self.back_to {
            Some(back_to) => add_step_back(self.context, path, back_to),
            None => Some(path),
        }
    }
}

impl Layer {
    /// A state once, with each state before it once; of several steps from there the one that the trace names.
    fn add(&mut self, ids: Vec<ValueId>, edge: Edge) {
        let Some(&at) = self.known.get(&ids) else {
            if self.nodes.len() == LAYER_LEN_MAX {
                self.is_cut = true;
                return;
            }
            self.known.insert(ids.clone(), self.nodes.len());
            self.nodes.push(Node { ids, edges: vec![edge] });
            return;
        };
        let edges = &mut self.nodes[at].edges;
        match edges.iter().position(|known| known.parent == edge.parent) {
            Some(known) if edges[known].is_named || !edge.is_named => return,
            Some(known) => drop(edges.remove(known)),
            None => {}
        }
        let after_named = edges.partition_point(|known| known.is_named);
        edges.insert(if edge.is_named { after_named } else { edges.len() }, edge);
    }
}

/// Whether a state can be the given one.
fn is_given(context: &Context<'_>, state: &[Option<Value<'_>>], given: &GivenState) -> bool {
    context.columns.iter().zip(state).all(|(column, value)| is_value(*column, *value, given))
}

/// Whether a state and the next one can be what the trace shows of the state with this index, where that is an ALIAS.
fn is_aliased(context: &Context<'_>, (ids, after): (&[ValueId], &[ValueId]), index: usize) -> bool {
    let (Some(root), Some(given)) = (context.alias, context.given.states.get(index)) else { return true };
    let region = context.run.region();
    let mut machine = Machine::new(context.model.program, context.shared, &region, context.run);
    machine.set_state(values(ids));
    machine.set_next(values(after));
    let Ok(fields) = model::alias_fields(context.model, &mut machine, root) else { return false };
    let mut named = context.given.variables.iter().zip(&given.values);
    named.all(|(name, value)| {
        let field = fields.iter().find(|(field, _)| field == name);
        value.as_ref().is_none_or(|value| field.is_some_and(|(_, field)| value.is(field)))
    })
}

fn is_value(column: Option<usize>, value: Option<Value<'_>>, given: &GivenState) -> bool {
    match (column.and_then(|column| given.values.get(column)?.as_ref()), value) {
        (None, _) => true,
        (Some(given), Some(value)) => given.is(&model::datum(value)),
        (Some(_), None) => false,
    }
}

fn initial(context: &Context<'_>, given: &GivenState) -> Layer {
    let region = context.run.region();
    let mut machine = Machine::new(context.model.program, context.shared, &region, context.run);
    context.run.stand_at(0, Vec::new());
    let mut layer = Layer::default();
    // An expression without a value is reported later: by `judge`, or by `near`.
    let _ = machine.initial_states(&context.model.program.init, &mut |machine| {
        if machine.n_missing() == 0
            && model::ground(machine, Side::Current).is_ok()
            && is_given(context, machine.state(), given)
            && let Some(ids) = model::intern_made(machine, Side::Current)
        {
            layer.add(ids, Edge { parent: 0, step: None, is_named: true });
        }
        Ok(if layer.is_cut { Flow::Stop } else { Flow::Continue })
    });
    layer
}

/// Calls `found` for each complete successor of a state by each action. The machine has recorded the step.
pub(crate) fn successors<'a>(
    context: &Context<'a>,
    ids: &[ValueId],
    found: &mut dyn FnMut(&mut Machine<'a, '_>, &ActionInstance<'a>) -> Flow,
) {
    let region = context.run.region();
    let mut machine = Machine::new(context.model.program, context.shared, &region, context.run);
    machine.set_recording(true);
    machine.set_state(values(ids));
    for action in context.actions {
        let walked = machine.step(action, &mut |machine| {
            if machine.n_missing() > 0 || model::ground(machine, Side::Next).is_err() {
                return Ok(Flow::Continue);
            }
            Ok(found(machine, action))
        });
        if matches!(walked, Ok(Flow::Stop)) {
            return;
        }
    }
}

/// Whether a step has this name, and the parameters of the same names are these.
fn is_called(step: &Step, given: &GivenStep) -> bool {
    let is_same = |name: &String, value: &Datum| {
        given.parameters.iter().find(|(known, _)| known == name).is_none_or(|(_, known)| known.is(value))
    };
    step.name == given.name && step.parameters.iter().all(|known| is_same(&known.name, &known.value))
}

/// Returns the behaviour with its step back, if there is one. TLC: to a state that the VIEW takes for the same, where there is one.
fn add_step_back(context: &Context<'_>, mut path: Path, back_to: usize) -> Option<Path> {
    let (last, target) = (path.states.last()?, path.states.get(back_to)?);
    path.back_to = Some(back_to);
    let is_still = last == target;
    // Under a VIEW a step that the trace names may lead to another state and back to the same at once.
    if is_still && (context.given.last_step.is_none() || context.model.program.view.is_none()) {
        return Some(path);
    }
    let n_states = path.states.len();
    context.run.stand_at(n_states as u32, path.history(context, n_states - 1));
    let wanted_view = view(context, target);
    let mut found: Option<((bool, bool), Step, Vec<ValueId>)> = None;
    successors(context, last, &mut |machine, action| {
        let Some(ids) = model::intern_made(machine, Side::Next) else { return Flow::Continue };
        let is_exact = ids == *target;
        if is_exact || wanted_view.is_some() && view(context, &ids) == wanted_view {
            let step = model::step(context.model.spec, machine, action);
            let is_named = context.given.last_step.as_ref().is_none_or(|name| is_called(&step, name));
            let rank = (is_exact, is_named);
            if found.as_ref().is_none_or(|(known, _, _)| *known < rank) {
                found = Some((rank, step, ids));
            }
        }
        if matches!(found, Some(((true, true), _, _))) { Flow::Stop } else { Flow::Continue }
    });
    let Some(((is_exact, _), step, after)) = found else { return is_still.then_some(path) };
    path.last_step = Some(step);
    path.after = (!is_exact).then_some(after);
    Some(path)
}

/// Evaluates the VIEW of a state, if there is one and it has a value.
fn view(context: &Context<'_>, ids: &[ValueId]) -> Option<Datum> {
    let root = context.model.program.view?;
    let region = context.run.region();
    let mut machine = Machine::new(context.model.program, context.shared, &region, context.run);
    machine.set_state(values(ids));
    machine.eval_root(root).ok().map(model::datum)
}

/// Whether a state of the trace has no value where the specification has a variable.
fn is_unfinished(context: &Context<'_>, given: &GivenState) -> bool {
    let is_missing = |column: usize| given.values.get(column).is_none_or(Option::is_none);
    match context.alias {
        Some(_) => given.values.iter().any(Option::is_none),
        None => context.columns.iter().flatten().any(|&column| is_missing(column)),
    }
}

/// Whether a state some variable of which has no value can be the given one. An ALIAS says nothing of such states.
fn is_given_unfinished(context: &Context<'_>, state: &[Option<Datum>], given: &GivenState) -> bool {
    context.columns.iter().zip(state).all(|(column, value)| {
        let given = column.and_then(|column| given.values.get(column)?.as_ref());
        given.is_none_or(|given| value.as_ref().is_some_and(|value| given.is(value)))
    })
}

/// Whether an initial state can be the given one, without a value of some variable.
fn starts_unfinished(context: &Context<'_>, given: &GivenState) -> bool {
    let region = context.run.region();
    let mut machine = Machine::new(context.model.program, context.shared, &region, context.run);
    context.run.stand_at(0, Vec::new());
    let walked = machine.initial_states(&context.model.program.init, &mut |machine| {
        let is_it = machine.n_missing() > 0
            && is_given_unfinished(context, &model::state_data(machine, Side::Current), given);
        Ok(if is_it { Flow::Stop } else { Flow::Continue })
    });
    matches!(walked, Ok(Flow::Stop))
}

/// Whether a successor can be the given one, without a value of some variable.
fn has_unfinished(context: &Context<'_>, ids: &[ValueId], given: &GivenState) -> bool {
    let region = context.run.region();
    let mut machine = Machine::new(context.model.program, context.shared, &region, context.run);
    machine.set_state(values(ids));
    context.actions.iter().any(|action| {
        let walked = machine.step(action, &mut |machine| {
            let is_it = machine.n_missing() > 0
                && is_given_unfinished(context, &model::state_data(machine, Side::Next), given);
            Ok(if is_it { Flow::Stop } else { Flow::Continue })
        });
        matches!(walked, Ok(Flow::Stop))
    })
}
