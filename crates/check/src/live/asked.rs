//! State predicates that ask about the run. They are evaluated during the search, since nobody can be asked afterwards.
//!
//! TLC: when all successors of a state are in the queue, the predicates are evaluated in each successor and in the state itself. In an
//! initial state they are evaluated when it has been put into the queue. So a state has truths of its own, which hold
//! as long as it stays, and others for each way in which it was entered.
//!
//! LIMIT: where a step leads back to a state that was expanded before, and another truth holds there now, TLC goes through what
//! follows once more, in an order of its own. Then there is no answer ([`super::entries`]).

use std::sync::{Mutex, MutexGuard, PoisonError};

use base::FxIndexMap;
use eval::interp::{Evaluated, Machine};
use live::Formula;
use model::NoVerdict;
use value::{Interner, ValueId};

use super::Liveness;
use super::annotate::{self, Trouble};
use crate::context::Context;
use crate::space::{Handle, StateSlot};

#[derive(Default)]
pub(super) struct Asked {
    /// The numbers of the state atoms that ask.
    pub atoms: Vec<usize>,
    answers: Mutex<Answers>,
}

/// Which of the atoms held, and when; each is a bit.
#[derive(Default)]
pub(super) struct Answers {
    /// Answers in each expanded state, in the order of expansion.
    own: FxIndexMap<u32, u64>,
    /// Answers in initial states.
    pub initial: Vec<(StateSlot, u64)>,
    pub steps: Vec<EnteredBy>,
    trouble: Option<Trouble>,
}

/// A step and what held in its target when the source was expanded.
pub(super) struct EnteredBy {
    pub source: Handle,
    pub target: StateSlot,
    pub held: u64,
}

/// The successors of the state that is being expanded, where something is to be asked of them.
#[derive(Default)]
pub(super) struct Successors {
    places: Vec<StateSlot>,
    /// The values of each, one state after the other.
    values: Vec<ValueId>,
}

impl Successors {
    pub fn clear(&mut self) {
        self.places.clear();
        self.values.clear();
    }

    pub fn push(&mut self, place: StateSlot, values: &[ValueId]) {
        self.places.push(place);
        self.values.extend_from_slice(values);
    }
}

impl Asked {
    pub fn new(atoms: Vec<usize>) -> Asked {
        Asked { atoms, answers: Mutex::default() }
    }

    pub fn answers(&self) -> MutexGuard<'_, Answers> {
        self.answers.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether a formula has a part that asks.
    pub fn is_in(&self, formula: &Formula) -> bool {
        let mut is_found = false;
        formula.for_each_state_atom(&mut |atom| is_found |= self.atoms.contains(&(atom as usize)));
        is_found
    }
}

impl Answers {
    /// The atoms that held when a state was expanded.
    pub fn own(&self, handle: Handle) -> u64 {
        self.own.get(&handle.0).copied().unwrap_or(0)
    }

    /// Whether a state was expanded before another one.
    pub fn is_before(&self, first: Handle, second: Handle) -> bool {
        let order = |handle: Handle| self.own.get_index_of(&handle.0);
        matches!((order(first), order(second)), (Some(first), Some(second)) if first < second)
    }

    fn fail(&mut self, trouble: Trouble) {
        self.trouble.get_or_insert(trouble);
    }
}

impl Liveness {
    /// The properties that ask about the run.
    pub fn run_properties(&self) -> Vec<String> {
        let asking = self.properties.iter().filter(|property| self.asked.is_in(&property.formula));
        asking.map(|property| property.name.clone()).collect()
    }

    /// Whether something asks about the run: then states are expanded one by one.
    pub fn asks(&self) -> bool {
        !self.asked.atoms.is_empty()
    }

    /// Whether an atom that asks about the run had no value.
    pub fn is_in_trouble(&self) -> bool {
        self.asks() && self.asked.answers().trouble.is_some()
    }

    /// The error of an atom that asks about the run and had no value.
    pub fn trouble<'a>(&self, context: &'a Context<'a>) -> Result<(), NoVerdict> {
        if !self.asks() {
            return Ok(());
        }
        let trouble = self.asked.answers().trouble.take();
        trouble.map_or(Ok(()), |trouble| Err(annotate::undefined_verdict(context, &trouble)))
    }

    /// Evaluates what asks about the run in the machine's state, an initial one that was just found.
    pub fn ask_initial(&self, machine: &mut Machine<'_, '_>, place: StateSlot) -> Evaluated<()> {
        if self.asks() {
            let held = self.held(machine)?;
            self.asked.answers().initial.push((place, held));
        }
        Ok(())
    }

    /// Evaluates what asks about the run, now that all `successors` of a state were found.
    pub(super) fn ask(
        &self,
        machine: &mut Machine<'_, '_>,
        source: Handle,
        (own, successors): (&[ValueId], &Successors),
    ) {
        let answered = self.ask_each(machine, source, (own, successors));
        if let Err(fault) = answered {
            self.asked.answers().fail(Trouble { handle: source, fault });
        }
    }

    fn ask_each(
        &self,
        machine: &mut Machine<'_, '_>,
        source: Handle,
        (own, successors): (&[ValueId], &Successors),
    ) -> Evaluated<()> {
        let mut steps = Vec::with_capacity(successors.places.len());
        for (&target, values) in successors.places.iter().zip(successors.values.chunks(own.len())) {
            steps.push(EnteredBy { source, target, held: self.held_in(machine, values)? });
        }
        let held = self.held_in(machine, own)?;
        let mut answers = self.asked.answers();
        answers.own.insert(source.0, held);
        answers.steps.extend(steps);
        Ok(())
    }

    fn held_in(&self, machine: &mut Machine<'_, '_>, values: &[ValueId]) -> Evaluated<u64> {
        machine.set_state(values.iter().map(|&id| Interner::shared().value(id)));
        self.held(machine)
    }

    /// The atoms that hold in the machine's state, as bits.
    fn held(&self, machine: &mut Machine<'_, '_>) -> Evaluated<u64> {
        let mut held = 0;
        for (bit, &atom) in self.asked.atoms.iter().enumerate() {
            held |= u64::from(machine.atom_holds(&self.atoms.states[atom])?) << bit;
        }
        Ok(held)
    }
}
