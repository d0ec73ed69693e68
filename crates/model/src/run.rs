//! Runs: who evaluates, with which memory, and what evaluation may draw from.

use std::cell::Cell;

use base::FxIndexMap;
use eval::interp::{Machine, Shared};
use eval::{Owned, Register, Run};
use value::Region;

use crate::Model;

/// The registers that a worker has set with `TLCSet`.
pub type Registers = FxIndexMap<Register, Owned>;

/// A model, and what it takes to evaluate its formulas.
#[derive(Clone, Copy)]
pub struct Evaluation<'a> {
    pub model: Model<'a>,
    pub shared: &'a Shared,
    pub run: &'a dyn QuietRun,
}

impl<'a> Evaluation<'a> {
    /// Returns a machine whose values are in `region`.
    pub fn machine<'r>(&self, region: &'r Region) -> Machine<'a, 'r> {
        Machine::new(self.model.program, self.shared, region, self.run.as_run())
    }
}

/// A worker's region is made empty when it has more than this.
pub const REGION_BYTES_MAX: usize = 1 << 18;

/// How deep a worker's stack is.
pub const STACK_BYTES: usize = 256 << 20;

/// A run that can evaluate again what was evaluated before, without anybody noticing.
pub trait QuietRun: Run {
    /// A region for one worker's evaluation.
    fn region(&self) -> Region;

    /// Whether nothing is printed from now on; how it was before.
    fn set_quiet(&self, is_quiet: bool) -> bool;

    fn as_run(&self) -> &dyn Run;
}

/// The next random bits, as a search draws them; `seed` is what the first are made from.
pub fn draw(state: &Cell<Option<u64>>, seed: impl FnOnce() -> u64) -> u64 {
    // SplitMix64: a counter and a mixing function, so that any seed will do.
    let counter = state.get().unwrap_or_else(seed).wrapping_add(0x9e37_79b9_7f4a_7c15);
    state.set(Some(counter));
    let mut bits = counter;
    bits = (bits ^ bits >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ bits >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ bits >> 31
}

/// Runs `body`, which evaluates again what was evaluated before: nothing is printed.
pub fn quietly<T>(run: &(impl QuietRun + ?Sized), body: impl FnOnce() -> T) -> T {
    let was_quiet = run.set_quiet(true);
    let result = body();
    run.set_quiet(was_quiet);
    result
}

/// For each register that a worker has set, the tuple of the workers' values: those with names, or the others.
pub fn all_registers(workers: impl Iterator<Item = Registers>, is_named: bool) -> Owned {
    let mut pairs: Vec<(Owned, Vec<Owned>)> = Vec::new();
    for (register, value) in workers.flatten() {
        let key = match register {
            Register::Index(index) if !is_named => Owned::Int(index as i64),
            Register::Named(name) if is_named => Owned::Atom(name),
            Register::Index(_) | Register::Named(_) => continue,
        };
        match pairs.iter_mut().find(|(known, _)| *known == key) {
            Some((_, values)) => values.push(value),
            None => pairs.push((key, vec![value])),
        }
    }
    Owned::Function(pairs.into_iter().map(|(key, values)| (key, Owned::Sequence(values))).collect())
}
