//! States to stand in: values that are kept from one evaluation to the next.

use eval::interp::{Machine, Shared};
use eval::ir::Program;
use model::{QuietRun, Side};
use trace::{Datum, State};
use value::{Atoms, Ground, Interner, Value, ValueId};

/// The values of the variables, in the order in which the specification declares them. A variable may have none, as in a
/// trace that does not say it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct StandingState {
    ids: Vec<Option<ValueId>>,
}

impl StandingState {
    /// Makes a state of values as traces have them. A value that a trace could only write as a text becomes none.
    pub(crate) fn from_data(
        atoms: &'static Atoms,
        run: &impl QuietRun,
        values: &[Option<Datum>],
    ) -> StandingState {
        let program = Program::new(atoms);
        let shared = Shared::new(&program);
        let region = run.region();
        let mut machine = Machine::new(&program, &shared, &region, run.as_run());
        let mut id = |datum: &Datum| {
            let value = model::to_owned_value(atoms, datum)?.to_value(&mut machine, atoms).ok()?;
            let ground = Ground::new(&mut machine, value).ok()?;
            Interner::shared().intern(ground).ok()
        };
        StandingState { ids: values.iter().map(|value| value.as_ref().and_then(&mut id)).collect() }
    }

    /// Keeps the state that a machine has made; `None` if it is not complete.
    pub(crate) fn made(machine: &mut Machine<'_, '_>, side: Side) -> Option<StandingState> {
        let ids = model::intern_made(machine, side)?;
        Some(StandingState { ids: ids.into_iter().map(Some).collect() })
    }

    pub(crate) fn values<'s>(&'s self) -> impl Iterator<Item = Option<Value<'static>>> + use<'s> {
        let interner = Interner::shared();
        self.ids.iter().map(|id| id.map(|id| interner.value(id)))
    }

    /// Puts the values into the current state of a machine.
    pub(crate) fn enter(&self, machine: &mut Machine<'_, '_>, side: Side) {
        let variables = match side {
            Side::Current => machine.state_mut(),
            Side::Next => machine.next_mut(),
        };
        for (variable, value) in variables.iter_mut().zip(self.values()) {
            *variable = value;
        }
    }

    /// Returns the values as traces have them.
    pub fn to_state(&self) -> State {
        State { step: None, values: self.values().map(|value| value.map(model::datum)).collect() }
    }
}
