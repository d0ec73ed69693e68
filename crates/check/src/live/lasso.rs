//! A lasso of numbers as states and steps that a user can follow.
//!
//! Where states are compared by something other than their variables, a node stands for several states, and a way around
//! the cycle may end in another one of them than it began with: then it goes around again, until it comes back.

use std::cell::RefCell;

use base::FxHashMap;
use eval::interp::{Flow, Machine};
use live::{LabelId, Lasso};
use model::temporal::Endless;
use model::{Data, Side, intern_made};
use trace::{Ending, State, Step, Trace};
use value::{Interner, Value, ValueId};

use crate::alias::{self, States};
use crate::context::Context;
use crate::expand::Expander;
use crate::run::WorkerRun;
use crate::space::Handle;

/// A way around a cycle that does not come back after so many rounds is given up.
const ROUNDS_MAX: usize = 1_000;
/// Under a VIEW it need not come back: values that the VIEW does not show may grow for ever. So many rounds are judged
/// then, so that a formula which reads such values is not judged by those of the first round.
const VIEW_ROUNDS: usize = 16;

/// An infinite behaviour, state by state.
#[derive(Clone)]
pub(super) struct Behaviour {
    pub states: Vec<Vec<ValueId>>,
    /// The step that leads to each state; `None` for the first, and where nothing changes.
    pub steps: Vec<Option<Step>>,
    /// Index of the state that comes after the last one; `None` if the last state stays for ever.
    pub back_to: Option<usize>,
    /// The step back.
    pub last_step: Option<Step>,
    /// State that it leads to, if the VIEW only takes it for the same.
    pub after: Option<Vec<ValueId>>,
    /// The behaviour with one round of the cycle, where several are judged.
    pub short: Option<Box<Behaviour>>,
}

impl Behaviour {
    /// As formulas are evaluated on it.
    pub fn as_endless(&self) -> Endless<'_> {
        let back_to = self.back_to.unwrap_or(self.states.len() - 1);
        Endless { states: &self.states, back_to, after: self.after.as_ref() }
    }
}

/// The states of `lasso`; `None` if a step of it cannot be made again.
pub(super) fn behaviour<'a>(context: &'a Context<'a>, lasso: &Lasso) -> Option<Behaviour> {
    let run = WorkerRun::new(context, 0);
    run.quietly(|| Walker { context, run: &run, levels: RefCell::default() }.walk(lasso))
}

/// The behaviour as a trace, without what it shows.
pub(super) fn trace<'a>(context: &'a Context<'a>, lasso: &Lasso, behaviour: &Behaviour) -> Trace {
    let names = context.program().variables.iter().map(|&name| context.text(name).to_owned());
    let mut trace = Trace::new(names.collect());
    let mut data = Data::default();
    for (ids, step) in behaviour.states.iter().zip(&behaviour.steps) {
        let values = ids.iter().map(|&id| Some(data.datum(Interner::shared().value(id)))).collect();
        trace.states.push(State { step: step.clone(), values });
    }
    trace.ending = match behaviour.back_to {
        Some(to) => Ending::Loop { to, step: behaviour.last_step.clone() },
        None => Ending::Stuttering,
    };
    if behaviour.after.is_some() {
        let note = "the step back leads to another state, which the VIEW takes for the same";
        trace.about.notes.push(("VIEW".to_owned(), note.to_owned()));
    }
    if context.identity().is_derived() {
        // LIMIT: the states of such a behaviour are not stored, and an alias may ask for the states before.
        if context.program().alias.is_some() {
            trace.about.notes.push(("ALIAS".to_owned(), "not shown under SYMMETRY or VIEW".to_owned()));
        }
        if !context.program().shown.is_empty() {
            trace.about.notes.push(("expressions".to_owned(), "not shown under SYMMETRY or VIEW".to_owned()));
        }
        return trace;
    }
    let handles: Vec<Handle> = lasso.nodes.iter().map(|&node| Handle(node)).collect();
    let (n_states, back_to) = (handles.len(), behaviour.back_to);
    let states = States { handles: &handles, n_before: 0, last: None, n_states, back_to };
    let run = WorkerRun::new(context, 0);
    run.quietly(|| alias::apply(context, &run, &states, &mut trace));
    trace
}

struct Walker<'a, 'w> {
    context: &'a Context<'a>,
    run: &'w WorkerRun<'a>,
    /// The levels of nodes, as far as they are known.
    levels: RefCell<FxHashMap<u32, u32>>,
}

impl<'a, 'w: 'a> Walker<'a, 'w> {
    fn walk(&self, lasso: &Lasso) -> Option<Behaviour> {
        let first = self.read_state(*lasso.nodes.first()?);
        let mut behaviour = Behaviour {
            states: vec![first],
            steps: vec![None],
            back_to: None,
            last_step: None,
            after: None,
            short: None,
        };
        for (index, &node) in lasso.nodes.iter().enumerate().skip(1) {
            let cycle_start = lasso.back_to.unwrap_or(lasso.nodes.len());
            let label = index.checked_sub(cycle_start + 1).and_then(|at| lasso.labels.get(at)).copied();
            self.follow(&mut behaviour, (lasso.nodes[index - 1], node), label)?;
        }
        match lasso.back_to {
            Some(back_to) => self.close(lasso, back_to, behaviour),
            None => Some(behaviour),
        }
    }

    /// Goes around the cycle until the state that a round begins with was there before.
    fn close(&self, lasso: &Lasso, back_to: usize, mut behaviour: Behaviour) -> Option<Behaviour> {
        let cycle = &lasso.nodes[back_to..];
        let label = |at: usize| lasso.labels.get(at).copied();
        let mut starts = vec![back_to];
        for round in 0..ROUNDS_MAX {
            let back = (*cycle.last()?, cycle[0]);
            let (step, state) = self.step(behaviour.states.last()?, back, label(cycle.len() - 1))?;
            if let Some(&start) = starts.iter().find(|&&start| behaviour.states[start] == state) {
                behaviour.short = None;
                (behaviour.back_to, behaviour.last_step) = (Some(start), step);
                return Some(behaviour);
            }
            if self.context.program().view.is_some() && (round == 0 || round + 1 == VIEW_ROUNDS) {
                let closed = Behaviour {
                    back_to: Some(back_to),
                    last_step: step.clone(),
                    after: Some(state.clone()),
                    ..behaviour.clone()
                };
                if round > 0 {
                    return Some(closed);
                }
                behaviour.short = Some(Box::new(closed));
            }
            starts.push(behaviour.states.len());
            behaviour.states.push(state);
            behaviour.steps.push(step);
            for (index, &node) in cycle.iter().enumerate().skip(1) {
                self.follow(&mut behaviour, (cycle[index - 1], node), label(index - 1))?;
            }
        }
        None
    }

    fn follow(&self, behaviour: &mut Behaviour, edge: (u32, u32), label: Option<LabelId>) -> Option<()> {
        let (step, state) = self.step(behaviour.states.last()?, edge, label)?;
        behaviour.states.push(state);
        behaviour.steps.push(step);
        Some(())
    }

    fn read_state(&self, node: u32) -> Vec<ValueId> {
        let mut ids = vec![ValueId::from_bits(0); self.context.space.n_variables()];
        self.context.space.state(Handle(node), &mut ids);
        ids
    }

    /// Returns the level at which the search found and expanded a node, which actions and a VIEW may ask for.
    fn level(&self, node: u32) -> u32 {
        let mut levels = self.levels.borrow_mut();
        let mut above = Vec::new();
        let mut next = Some(node);
        while let Some(node) = next.filter(|node| !levels.contains_key(node)) {
            above.push(node);
            next = self.context.space.parent(Handle(node)).map(|parent| parent.0);
        }
        let mut level = next.map_or(0, |node| levels[&node]);
        for node in above.into_iter().rev() {
            level += 1;
            levels.insert(node, level);
        }
        level
    }

    /// A step from `state`, which the node `from` stands for, to a state that `to` stands for, with `label` if there is such
    /// a one.
    fn step(
        &self,
        state: &[ValueId],
        (from, to): (u32, u32),
        label: Option<LabelId>,
    ) -> Option<(Option<Step>, Vec<ValueId>)> {
        self.run.expand(self.level(to), Some(Handle(to)));
        let wanted = self.key(&self.read_state(to))?;
        let is_derived = self.context.identity().is_derived();
        if !is_derived && state == wanted {
            return Some((None, wanted));
        }
        let region = self.context.board.region();
        let mut machine = Machine::new(self.context.program(), self.context.shared, &region, self.run);
        machine.set_recording(true);
        machine.set_state(values(state));
        self.run.expand(self.level(from), Some(Handle(from)));
        let mut found = None;
        for action in self.context.actions {
            let walked = machine.step(action, &mut |machine| {
                let Some(ids) = intern_made(machine, Side::Next) else { return Ok(Flow::Continue) };
                if self.run.about_successor(|| self.key(&ids)).as_ref() != Some(&wanted) {
                    return Ok(Flow::Continue);
                }
                let is_it = !is_derived || label.is_none_or(|label| self.label(machine) == Some(label));
                if is_it || found.is_none() {
                    found = Some((Some(model::step(self.context.spec(), machine, action)), ids));
                }
                Ok(if is_it { Flow::Stop } else { Flow::Continue })
            });
            match walked {
                Ok(Flow::Continue) => {}
                Ok(Flow::Stop) => return found,
                Err(_) => return None,
            }
        }
        // A node that stands for several states may be left for itself by doing nothing.
        found.or_else(|| (self.key(state).as_ref() == Some(&wanted)).then(|| (None, state.to_vec())))
    }

    fn label(&self, machine: &mut Machine<'a, '_>) -> Option<LabelId> {
        let liveness = self.context.liveness?;
        liveness.label(&mut liveness.labels.cache(), machine).ok().map(LabelId)
    }

    /// Returns the key by which a state is compared.
    fn key(&self, ids: &[ValueId]) -> Option<Vec<ValueId>> {
        if !self.context.identity().is_derived() {
            return Some(ids.to_vec());
        }
        let region = self.context.board.region();
        let mut machine = Machine::new(self.context.program(), self.context.shared, &region, self.run);
        let state: Vec<Value<'_>> = values(ids).collect();
        machine.set_state(state.iter().copied());
        let mut expander = Expander::in_passing(self.context, self.run);
        let key = expander.identity_ids(&mut machine, &state);
        expander.finish();
        key
    }
}

fn values<'r>(ids: &[ValueId]) -> impl Iterator<Item = Value<'r>> {
    ids.iter().map(|&id| Interner::shared().value(id))
}
