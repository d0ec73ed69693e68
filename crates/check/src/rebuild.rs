//! Traces: the states on the way to one, and by which step each follows.
//!
//! A state remembers its parent; the step is the first by which it follows when the parent is expanded again.

use eval::Owned;
use eval::interp::{ActionInstance, Flow, Machine};
use model::{Data, Side, intern_made, state_data};
use trace::{State, Step, Trace};
use value::{Interner, Region, Value, ValueId};

use crate::alias::{self, States};
use crate::context::Context;
use crate::run::WorkerRun;
use crate::space::{Handle, Space};

/// The last state of a trace.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Target {
    /// One that was stored.
    Stored(Handle),
    /// A successor of `parent`, or an initial state, stored or not.
    Successor { parent: Option<Handle>, ordinal: u32 },
}

/// How much of a behaviour is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Room {
    /// Limit on the bytes in memory, where states share what they have in common.
    pub bytes_max: usize,
    /// Limit on the bytes as text, where each state is written by itself.
    pub written_bytes_max: usize,
}

impl Room {
    /// For the last state alone.
    pub const LAST: Room = Room { bytes_max: 0, written_bytes_max: 0 };
}

/// The states from an initial one to `handle`.
pub(crate) fn path(space: &Space, handle: Handle) -> Vec<Handle> {
    let mut path = vec![handle];
    let mut at = handle;
    while let Some(parent) = space.parent(at) {
        path.push(parent);
        at = parent;
    }
    path.reverse();
    path
}

/// A state as a record.
pub(crate) fn record(context: &Context<'_>, space: &Space, handle: Handle) -> Owned {
    let mut ids = vec![ValueId::from_bits(0); space.n_variables()];
    space.state(handle, &mut ids);
    let region = Region::new();
    let mut host = value::Plain(&region);
    let fields = context.program().variables.iter().zip(ids).map(|(&name, id)| {
        let value = Owned::of(&mut host, Interner::shared().value(id));
        (Owned::text(context.text(name)), value.unwrap_or_else(|_| Owned::text("?")))
    });
    Owned::Function(fields.collect())
}

/// A trace to `target`, without what it shows.
pub(crate) fn trace<'a>(context: &'a Context<'a>, run: &'a WorkerRun<'a>, target: Target) -> Trace {
    run.quietly(|| Rebuilder { context, run }.trace(target))
}

/// The last states of a behaviour.
#[derive(Debug)]
pub(crate) struct Tail {
    pub trace: Trace,
    /// States before the first one that is here.
    pub n_before: usize,
}

/// The last states on the way to `handle`: no more than `room` allows, and one in any case.
pub(crate) fn tail<'a>(
    context: &'a Context<'a>,
    run: &'a WorkerRun<'a>,
    (handle, room): (Handle, Room),
) -> Tail {
    run.quietly(|| Rebuilder { context, run }.tail(handle, room))
}

struct Rebuilder<'a> {
    context: &'a Context<'a>,
    run: &'a WorkerRun<'a>,
}

impl<'a> Rebuilder<'a> {
    fn trace(&self, target: Target) -> Trace {
        let context = self.context;
        let mut trace = self.empty();
        let (stored, last) = match target {
            Target::Stored(handle) => (Some(handle), None),
            Target::Successor { parent, ordinal } => (parent, Some((parent, ordinal))),
        };
        let handles = stored.map_or_else(Vec::new, |handle| path(context.space, handle));
        let mut data = Data::default();
        for (index, &handle) in handles.iter().enumerate() {
            let parent = context.space.parent(handle);
            let step = parent.and_then(|parent| self.step_to(handle, parent, index as u32));
            let values = self.stored_values(handle).map(|value| Some(data.datum(value))).collect();
            trace.states.push(State { step, values });
        }
        let mut last_ids = None;
        if let Some((parent, ordinal)) = last {
            let wanted = Wanted::Number(ordinal);
            let (state, ids) = self.successor(parent, &wanted, handles.len() as u32).unzip();
            trace.states.extend(state);
            last_ids = ids.flatten();
        }
        let n_states = trace.states.len();
        let states = States { handles: &handles, n_before: 0, last: last_ids, n_states, back_to: None };
        alias::apply(context, self.run, &states, &mut trace);
        trace
    }

    fn tail(&self, handle: Handle, room: Room) -> Tail {
        let handles = path(self.context.space, handle);
        let (mut data, mut size) = (Data::default(), 0_usize);
        let mut states: Vec<State> = Vec::new();
        for &handle in handles.iter().rev() {
            let mut values = Vec::new();
            for value in self.stored_values(handle) {
                let (datum, n_bytes) = data.datum_and_size(value);
                size = size.saturating_add(n_bytes);
                values.push(Some(datum));
            }
            if !states.is_empty() && (size > room.written_bytes_max || data.n_bytes() > room.bytes_max) {
                break;
            }
            states.push(State { step: None, values });
        }
        states.reverse();
        let n_before = handles.len() - states.len();
        for (state, index) in states.iter_mut().zip(n_before..) {
            let before = index.checked_sub(1).map(|before| handles[before]);
            state.step = before.and_then(|parent| self.step_to(handles[index], parent, index as u32));
        }
        let mut trace = Trace { states, ..self.empty() };
        let n_states = handles.len();
        let states = States { handles: &handles, n_before, last: None, n_states, back_to: None };
        alias::apply(self.context, self.run, &states, &mut trace);
        Tail { trace, n_before }
    }

    /// A trace without states.
    fn empty(&self) -> Trace {
        let names = self.context.program().variables.iter();
        Trace::new(names.map(|&name| self.context.text(name).to_owned()).collect())
    }

    fn stored_values(&self, handle: Handle) -> impl Iterator<Item = Value<'static>> {
        self.stored_ids(handle).into_iter().map(|id| Interner::shared().value(id))
    }

    fn stored_ids(&self, handle: Handle) -> Vec<ValueId> {
        let mut ids = vec![ValueId::from_bits(0); self.context.space.n_variables()];
        self.context.space.state(handle, &mut ids);
        ids
    }

    /// The step that leads to a stored state from its parent.
    fn step_to(&self, handle: Handle, parent: Handle, level: u32) -> Option<Step> {
        let wanted = Wanted::State(self.stored_ids(handle));
        self.successor(Some(parent), &wanted, level).and_then(|(state, _)| state.step)
    }

    /// Makes a successor again; with the ids of its values, if it is complete.
    fn successor(
        &self,
        parent: Option<Handle>,
        wanted: &Wanted,
        level: u32,
    ) -> Option<(State, Option<Vec<ValueId>>)> {
        let context = self.context;
        let region = context.board.region();
        let mut machine = Machine::new(context.program(), context.shared, &region, self.run);
        machine.set_recording(true);
        self.run.expand(level, parent);
        let mut found = None;
        let successor = SuccessorOf { parent, wanted };
        let action = at_successor(context, self.run, &mut machine, successor, &mut |machine, action| {
            let values = state_data(machine, Side::made_by(action));
            let step = action.map(|action| model::step(context.spec(), machine, action));
            found = Some((State { step, values }, intern_made(machine, Side::made_by(action))));
        });
        action.and(found)
    }
}

/// A successor of `parent`, or an initial state.
#[derive(Clone, Copy)]
pub(crate) struct SuccessorOf<'w> {
    pub parent: Option<Handle>,
    pub wanted: &'w Wanted,
}

/// Tells which of several successors is to be made again.
pub(crate) enum Wanted {
    /// The one with this number.
    Number(u32),
    /// The first that is this state.
    State(Vec<ValueId>),
}

impl Wanted {
    /// Whether it is the one that was just made, after `n_before` others.
    fn is_it(&self, machine: &mut Machine<'_, '_>, side: Side, n_before: &mut u32) -> bool {
        *n_before += 1;
        match self {
            Wanted::Number(ordinal) => *n_before == ordinal + 1,
            Wanted::State(ids) => intern_made(machine, side).as_ref() == Some(ids),
        }
    }
}

/// Makes a successor again and calls `visit` there, with the action that makes it. `None` when there is no such
/// successor any more.
pub(crate) fn at_successor<'a, 'r>(
    context: &'a Context<'a>,
    run: &'a WorkerRun<'a>,
    machine: &mut Machine<'a, 'r>,
    successor: SuccessorOf<'_>,
    visit: &mut dyn FnMut(&mut Machine<'a, 'r>, Option<&ActionInstance<'a>>),
) -> Option<()> {
    let SuccessorOf { parent, wanted } = successor;
    let mut n_before = 0;
    let Some(parent) = parent else {
        run.expand(0, None);
        let walked = machine.initial_states(&context.program().init, &mut |machine| {
            if !wanted.is_it(machine, Side::Current, &mut n_before) {
                return Ok(Flow::Continue);
            }
            visit(machine, None);
            Ok(Flow::Stop)
        });
        return matches!(walked, Ok(Flow::Stop)).then_some(());
    };
    load(context, machine, parent);
    for action in context.actions {
        let walked = machine.step(action, &mut |machine| {
            if !wanted.is_it(machine, Side::Next, &mut n_before) {
                return Ok(Flow::Continue);
            }
            visit(machine, Some(action));
            Ok(Flow::Stop)
        });
        match walked {
            Ok(Flow::Continue) => {}
            Ok(Flow::Stop) => return Some(()),
            Err(_) => return None,
        }
    }
    None
}

/// Makes `handle` the current state of the machine.
pub(crate) fn load<'a>(context: &Context<'a>, machine: &mut Machine<'a, '_>, handle: Handle) {
    let mut ids = vec![ValueId::from_bits(0); context.space.n_variables()];
    context.space.state(handle, &mut ids);
    let interner = Interner::shared();
    machine.set_state(ids.iter().map(|&id| interner.value(id)));
}
