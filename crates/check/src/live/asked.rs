//! State predicates that ask about the run: they are evaluated when a state has just been expanded.
//!
//! TLC: temporal properties are looked at after all successors of a state were generated, so that `TLCGet("queue")` has them.
//! After the search there is nobody left to ask.

use std::sync::{Mutex, PoisonError};

use base::FxHashMap;
use eval::interp::{Fault, Machine};
use eval::temporal::TemporalAtoms;
use live::Formula;

use super::Liveness;
use super::annotate::{self, Trouble};
use crate::answer::NoVerdict;
use crate::context::Context;
use crate::expand::load;
use crate::run::WorkerRun;
use crate::space::Handle;

/// As many as there are bits in a word.
pub(super) const ASKED_MAX: usize = 64;

#[derive(Default)]
pub(super) struct Asked {
    /// The numbers of the state atoms that ask.
    pub atoms: Vec<usize>,
    /// For each state that was expanded, which of them held.
    held: Mutex<FxHashMap<u32, u64>>,
}

impl Asked {
    pub fn new(atoms: Vec<usize>) -> Asked {
        Asked { atoms, held: Mutex::default() }
    }

    pub fn held(&self, handle: u32) -> u64 {
        let held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        held.get(&handle).copied().unwrap_or(0)
    }

    /// Whether a formula has a part that asks.
    pub fn is_in(&self, formula: &Formula) -> bool {
        let mut is_found = false;
        formula.for_each_state_atom(&mut |atom| is_found |= self.atoms.contains(&(atom as usize)));
        is_found
    }

    fn evaluate(&self, atoms: &TemporalAtoms, machine: &mut Machine<'_, '_>) -> Result<u64, Box<Fault>> {
        let mut bits = 0;
        for (bit, &atom) in self.atoms.iter().enumerate() {
            bits |= u64::from(machine.atom_holds(&atoms.states[atom])?) << bit;
        }
        Ok(bits)
    }
}

impl Liveness {
    /// The properties that ask about the run.
    pub fn run_properties(&self) -> Vec<String> {
        let asking = self.properties.iter().filter(|property| self.asked.is_in(&property.formula));
        asking.map(|property| property.name.clone()).collect()
    }

    /// Evaluates what asks about the run, in a state that was just expanded.
    pub fn ask<'a>(&self, context: &'a Context<'a>, (handle, depth): (Handle, u32)) -> Result<(), NoVerdict> {
        if self.asked.atoms.is_empty() {
            return Ok(());
        }
        let run = WorkerRun::new(context, 0);
        run.expand(depth, Some(handle));
        let region = context.board.region();
        let mut machine = Machine::new(context.program(), context.shared, &region, &run);
        load(context, &mut machine, handle);
        let bits = self.asked.evaluate(&self.atoms, &mut machine);
        let bits = bits.map_err(|fault| annotate::undefined(context, &Trouble { handle, fault }))?;
        self.asked.held.lock().unwrap_or_else(PoisonError::into_inner).insert(handle.0, bits);
        Ok(())
    }
}
