//! Runs code: the successors of a state, whether formulas hold in it, and the results that are kept of both.
//!
//! Invariant: every context here was made by `Compiled::lend` for the code that runs with it. So it has an id for each
//! variable, and for actions the rows of this code, which `run_actions` and `run_alone` put there.
#![expect(unsafe_code, reason = "runs generated code")]

use std::sync::Arc;
use std::sync::atomic::Ordering;

use base::{Clock, Id, SystemClock};
use eval::interp::{Machine, VarSet};
use eval::ir::IrId;
use value::{ValueId, raw};

use crate::account::ActionRuns;
use crate::cache::Caches;
use crate::code::{Code, Compiled, ConjunctCode, InvariantGroup};
use crate::emit::{CLOSED, DONE};
use crate::memo::{Cell, Memos};
use crate::runtime::Context;
use crate::split::Split;

/// The data that a worker keeps between runs of code.
#[derive(Debug)]
pub struct Scratch {
    lent: LentParts,
    kept: RunResults,
    /// The code that the memos are about.
    serial: u64,
}

/// The parts that code uses while it runs.
#[derive(Debug)]
struct LentParts {
    words: Vec<u64>,
    cache: Caches,
}

/// The results of runs.
#[derive(Debug)]
struct RunResults {
    found: FoundSuccessors,
    actions: Memos,
    formulas: Memos,
    /// For each piece of an action how its code ran.
    tries: Vec<ActionRuns>,
    /// Number of states whose actions were run.
    n_states: u32,
    clock: SystemClock,
    /// The state that formulas were last tested in.
    asked: Vec<ValueId>,
    /// The result of [`Compiled::look`] for the current state, for each 64 actions.
    looks: Vec<(u64, u64)>,
}

/// The time is taken in one of so many states.
const STATES_PER_SAMPLE: u32 = 64;

/// Number of runs after which code that gives up more often than not is no longer run.
const TRIES_MIN: u64 = 256;

/// Successors that were found.
#[derive(Debug, Default)]
pub struct FoundSuccessors {
    /// For each successor the number of its action, the number of variables that it gives values to, and each of these
    /// with its id.
    words: Vec<u32>,
}

impl Default for Scratch {
    fn default() -> Scratch {
        let lent = LentParts { words: vec![0; 1 << 10], cache: Caches::default() };
        Scratch { lent, kept: RunResults::new(), serial: 0 }
    }
}

impl Scratch {
    /// Adapts it to the code, which may use `n_bytes` for kept results.
    pub fn prepare(&mut self, code: &Compiled, n_bytes: usize) {
        if self.serial != code.serial {
            self.serial = code.serial;
            self.kept.actions = Memos::new(&code.actions_plan, Arc::clone(&code.actions_rows));
            self.kept.formulas = Memos::new(&code.formulas.plan, Arc::clone(&code.formulas.rows));
            self.kept.asked.clear();
            self.kept.tries = vec![ActionRuns::default(); code.actions.len()];
        }
        self.kept.actions.limit(n_bytes);
        self.kept.formulas.limit(n_bytes / 2);
    }

    /// Prepares to run actions for the state with these ids: first call this, then, a little later, [`Scratch::fetch`].
    #[inline]
    pub fn foresee(&mut self, ids: &[u32]) {
        self.kept.actions.foresee(ids);
    }

    #[inline]
    pub fn fetch(&mut self) {
        self.kept.actions.fetch();
    }

    /// Prepares to test formulas in the state with these ids.
    #[inline]
    pub fn foresee_formulas(&mut self, ids: &[ValueId]) {
        self.kept.formulas.foresee(raw::ids_as_bits(ids));
    }

    #[inline]
    pub fn fetch_formulas(&mut self) {
        self.kept.formulas.fetch();
    }

    /// Returns how often the code of each action ran here, and how long that took.
    pub fn runs(&self, code: &Compiled) -> Vec<ActionRuns> {
        let mut all = vec![ActionRuns::default(); code.starts.len() - 1];
        if self.serial == code.serial {
            for (piece, runs) in code.actions.iter().zip(&self.kept.tries) {
                all[piece.of].add(*runs);
            }
        }
        all
    }

    /// Returns the successors that were found last, to be given back.
    pub fn take_found(&mut self) -> FoundSuccessors {
        std::mem::take(&mut self.kept.found)
    }

    pub fn give_back(&mut self, found: FoundSuccessors) {
        self.kept.found = found;
    }
}

impl RunResults {
    fn new() -> RunResults {
        RunResults {
            found: FoundSuccessors::default(),
            actions: Memos::default(),
            formulas: Memos::default(),
            tries: Vec::new(),
            n_states: 0,
            clock: SystemClock::start(),
            asked: Vec::new(),
            looks: Vec::new(),
        }
    }

    fn turn_formulas_to(&mut self, ids: &[ValueId]) {
        if self.asked != ids {
            self.asked.clear();
            self.asked.extend_from_slice(ids);
            self.formulas.turn_away();
        }
    }
}

impl FoundSuccessors {
    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    /// Returns the successor at `position`, and the position of the next.
    #[inline]
    pub fn at(&self, position: usize) -> Option<(Successor<'_>, usize)> {
        let ([action, n_given], words) = self.words.get(position..)?.split_first_chunk()?;
        let (given, _) = words.as_chunks().0.split_at(*n_given as usize);
        Some((Successor { action: *action as usize, given }, position + 2 + 2 * given.len()))
    }
}

/// A successor: the variables that were given values, and these.
#[derive(Clone, Copy, Debug)]
pub struct Successor<'s> {
    /// The action that it is a step of.
    pub action: usize,
    given: &'s [[u32; 2]],
}

impl Successor<'_> {
    /// Iterates over the variables that were given values, with their ids.
    #[inline]
    pub fn ids(self) -> impl Iterator<Item = (usize, ValueId)> + Clone {
        self.given.iter().map(|&[variable, bits]| (variable as usize, ValueId::from_bits(bits)))
    }
}

/// The purpose for which successors are found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SuccessorUse {
    /// They are looked up: every value is interned.
    Visit,
    /// They are only counted, because nothing is asked about them. Those whose values nobody has stored give no ids.
    Count,
}

/// The reason why the interpreter must do an action.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotRun {
    /// The action has no code.
    NoCode,
    /// The code met something that it was not made for.
    GaveUp,
}

impl Compiled {
    /// Writes the successors of the state with these ids, the current state of the machine, by the actions from `first`
    /// on, up to one that the interpreter must do. Returns that action, if there is one, and the reason.
    #[inline]
    pub fn run_actions(
        &self,
        (first, successor_use): (usize, SuccessorUse),
        machine: &mut Machine<'_, '_>,
        ids: &[ValueId],
        scratch: &mut Scratch,
    ) -> Option<(usize, NotRun)> {
        assert_eq!(scratch.serial, self.serial, "`Scratch::prepare` was called for this code");
        let Scratch { lent, kept, .. } = scratch;
        kept.found.words.clear();
        kept.n_states = kept.n_states.wrapping_add(1);
        if first == 0 {
            kept.actions.turn_to(raw::ids_as_bits(ids));
        }
        let mut context = self.lend(lent, machine, ids);
        context.rows = kept.actions.addresses();
        let first = self.starts[first];
        // The action whose pieces are run, and where its successors begin.
        let mut begun = (usize::MAX, 0);
        for block in first / 64..self.actions.len().div_ceil(64) {
            let n_pieces = (self.actions.len() - block * 64).min(64);
            let (closed, open) = self.look(block, &kept.actions);
            let mut todo = u64::MAX >> (64 - n_pieces) & !closed;
            if block == first / 64 {
                todo &= u64::MAX << (first % 64);
            }
            while todo != 0 {
                let nth = todo.trailing_zeros();
                let index = block * 64 + nth as usize;
                todo &= todo - 1;
                let action = self.actions[index].of;
                if begun.0 != action {
                    begun = (action, kept.found.words.len());
                }
                let is_known = open >> nth & 1 != 0 && self.write_known(index, kept);
                let run = (index, successor_use);
                if let Err(why) = if is_known { Ok(()) } else { self.run_action(run, &mut context, kept) } {
                    // The interpreter does all pieces of the action.
                    kept.found.words.truncate(begun.1);
                    return Some((action, why));
                }
            }
        }
        None
    }

    /// Makes the state with these ids the one for [`Compiled::run_alone`].
    pub fn turn_to(&self, ids: &[ValueId], scratch: &mut Scratch) {
        let RunResults { actions, looks, .. } = &mut scratch.kept;
        actions.turn_to(raw::ids_as_bits(ids));
        actions.addresses();
        looks.clear();
        looks.extend((0..self.screens.len()).map(|block| self.look(block, actions)));
    }

    /// Whether an action is known to have no successors in the current state.
    #[inline]
    pub fn is_closed(&self, action: usize, scratch: &Scratch) -> bool {
        let is_closed = |piece: usize| scratch.kept.looks[piece / 64].0 >> (piece % 64) & 1 != 0;
        (self.starts[action]..self.starts[action + 1]).all(is_closed)
    }

    /// Writes the successors by one action alone, of the state that was turned to, which is the current state of the
    /// machine.
    pub fn run_alone(
        &self,
        action: usize,
        machine: &mut Machine<'_, '_>,
        ids: &[ValueId],
        scratch: &mut Scratch,
    ) -> Result<(), NotRun> {
        assert_eq!(scratch.serial, self.serial, "`Scratch::prepare` was called for this code");
        let Scratch { lent, kept, .. } = scratch;
        kept.found.words.clear();
        let mut context = self.lend(lent, machine, ids);
        context.rows = kept.actions.known_addresses();
        for piece in self.starts[action]..self.starts[action + 1] {
            let (closed, open) = kept.looks[piece / 64];
            let is = |bits: u64| bits >> (piece % 64) & 1 != 0;
            if is(closed) || is(open) && self.write_known(piece, kept) {
                continue;
            }
            self.run_action((piece, SuccessorUse::Visit), &mut context, kept)?;
        }
        Ok(())
    }

    /// Returns, for a block of 64 actions, those that are not possible, and those whose guards all hold.
    #[inline]
    fn look(&self, block: usize, memos: &Memos) -> (u64, u64) {
        self.screens[block].look(memos)
    }

    /// Writes the successor by an action in pieces whose guards hold. Returns `false` if a piece is not known.
    #[inline]
    fn write_known(&self, index: usize, kept: &mut RunResults) -> bool {
        let RunResults { found, actions, .. } = kept;
        let split = self.actions[index].split.as_ref();
        split.is_some_and(|split| split.write(self.actions[index].of, actions, &mut found.words))
    }

    #[inline]
    fn run_action(
        &self,
        (index, successor_use): (usize, SuccessorUse),
        context: &mut Context<'_>,
        kept: &mut RunResults,
    ) -> Result<(), NotRun> {
        let action = &self.actions[index];
        if let (None, Some(cell)) = (&action.split, action.kept)
            && let list = kept.actions.at(cell)
            && list != 0
        {
            kept.found.words.extend(kept.actions.list(cell.projection, list));
            return Ok(());
        }
        let code = action.code.ok_or(NotRun::NoCode)?;
        let tries = &mut kept.tries[index];
        if is_abandoned(tries) {
            return Err(NotRun::NoCode);
        }
        tries.n_runs += 1;
        context.rewind();
        context.params = action.params.as_ptr();
        let started = kept.n_states.is_multiple_of(STATES_PER_SAMPLE).then(|| kept.clock.elapsed());
        // SAFETY: this is the code of `self`, and the context is for it: see the top of this file.
        let code = unsafe { code.run(context) } as i64;
        if let Some(started) = started {
            kept.tries[index].time += (kept.clock.elapsed() - started) * STATES_PER_SAMPLE;
        }
        match code {
            DONE => {}
            ended if ended >= CLOSED => {
                // Kept by what was read until there, or by all that the code reads.
                let by = action.closing(ended).or(action.kept.map(|cell| cell.projection));
                self.close(index, by, kept);
                return Ok(());
            }
            // `GAVE_UP`, and any unknown number.
            _ => {
                let tries = &mut kept.tries[index];
                tries.n_given_up += 1;
                let at = context.gave_up_at.checked_sub(1);
                tries.gave_up_at = at.map(|at| IrId::from_index(at as usize)).or(tries.gave_up_at);
                if action.is_guard {
                    return Err(NotRun::NoCode);
                }
                if tries.n_given_up == TRIES_MIN / 2 + 1 && is_abandoned(tries) {
                    self.counts.n_abandoned.fetch_add(1, Ordering::Relaxed);
                }
                self.counts.of_pieces[index].fetch_add(1, Ordering::Relaxed);
                return Err(NotRun::GaveUp);
            }
        }
        let start = kept.found.words.len();
        // Kept results are needed again and again, and so have ids.
        let is_kept = action.kept.is_some_and(|cell| kept.actions.has_row(cell.projection));
        if successor_use == SuccessorUse::Count && action.split.is_none() && !is_kept {
            return count(action.of, context, &mut kept.found.words).ok_or(NotRun::GaveUp);
        }
        // For example a set that is not explicit: the interpreter knows what to do.
        intern(action.of, context, &mut kept.found.words).ok_or(NotRun::GaveUp)?;
        match (&action.split, action.kept) {
            (Some(_), cell) if kept.found.words.len() == start => {
                self.close(index, cell.map(|cell| cell.projection), kept);
            }
            (Some(split), _) => self.keep_pieces((index, split), kept, start),
            (None, Some(cell)) => self.keep((index, cell), kept, start),
            (None, None) => {}
        }
        Ok(())
    }

    /// Keeps the result of an action: the successors from `start` on.
    fn keep(&self, (index, cell): (usize, Cell), kept: &mut RunResults, start: usize) {
        let RunResults { found, actions, .. } = kept;
        let list = &found.words[start..];
        if list.is_empty() {
            return self.close(index, Some(cell.projection), kept);
        }
        if actions.has_row(cell.projection)
            && let Some(list) = actions.keep_list(cell.projection, list)
        {
            actions.keep(cell, list);
        }
    }

    /// Keeps the pieces of the result of an action, if it was possible.
    fn keep_pieces(&self, (index, split): (usize, &Split), kept: &mut RunResults, start: usize) {
        let RunResults { found, actions, .. } = kept;
        let Some((successor, _)) = found.at(start) else { return };
        split.keep(successor.given, actions);
        for &projection in split.guards() {
            self.bits.open(index, projection, actions);
        }
    }

    /// Keeps that an action is not possible, by the variables of a projection.
    fn close(&self, index: usize, projection: Option<usize>, kept: &mut RunResults) {
        if let Some(projection) = projection {
            self.bits.close(index, projection, &kept.actions);
        }
    }

    /// Whether those conjuncts of all invariants hold in the state with these ids, the current one of the machine, that
    /// may have become false if only these variables have changed since they held. `false` also if the interpreter must
    /// decide.
    pub fn all_invariants(
        &self,
        machine: &mut Machine<'_, '_>,
        (ids, changed): (&[ValueId], VarSet),
        scratch: &mut Scratch,
    ) -> bool {
        scratch.kept.turn_formulas_to(ids);
        let mut context = self.lend(&mut scratch.lent, machine, ids);
        let memos = &mut scratch.kept.formulas;
        self.formulas.groups.iter().all(|group| group.holds(&mut context, (ids, changed), memos))
    }

    /// Whether those conjuncts of one invariant hold that may have become false. `None` when the interpreter must
    /// decide.
    pub fn invariant(
        &self,
        index: usize,
        machine: &mut Machine<'_, '_>,
        of: (&[ValueId], VarSet),
        scratch: &mut Scratch,
    ) -> Option<bool> {
        self.hold((&self.formulas.invariants[index], &[]), machine, of, scratch)
    }

    /// Whether those conjuncts of a constraint hold that may have become false. `None` when the interpreter must
    /// decide. `known` has the answers for conjuncts that the caller knows, by their numbers.
    // Six values: those of `invariant`, and the answers that are known.
    #[inline]
    pub fn constraint(
        &self,
        (index, known): (usize, &[Option<bool>]),
        machine: &mut Machine<'_, '_>,
        of: (&[ValueId], VarSet),
        scratch: &mut Scratch,
    ) -> Option<bool> {
        self.hold((&self.formulas.constraints[index], known), machine, of, scratch)
    }

    /// Whether all of these hold, as far as it is not known.
    // Six values: those of its callers, who lend what a search owns.
    fn hold(
        &self,
        (parts, known): (&[ConjunctCode], &[Option<bool>]),
        machine: &mut Machine<'_, '_>,
        (ids, changed): (&[ValueId], VarSet),
        scratch: &mut Scratch,
    ) -> Option<bool> {
        scratch.kept.turn_formulas_to(ids);
        let mut context = self.lend(&mut scratch.lent, machine, ids);
        for (number, part) in parts.iter().enumerate() {
            let holds = match known.get(number).copied().flatten() {
                Some(holds) => holds,
                None => part.holds(&mut context, (ids, changed), &mut scratch.kept.formulas)?,
            };
            if !holds {
                return Some(false);
            }
        }
        Some(true)
    }

    /// Makes the context of this code for the state with these ids.
    #[inline]
    fn lend<'c>(
        &self,
        lent: &'c mut LentParts,
        machine: &'c mut Machine<'_, '_>,
        ids: &'c [ValueId],
    ) -> Context<'c> {
        assert_eq!(ids.len(), self.n_variables, "a state has an id for each variable");
        Context::new(machine, ids, &mut lent.words, &mut lent.cache)
    }
}

/// Whether code gives up so often that it is no longer run.
fn is_abandoned(runs: &ActionRuns) -> bool {
    runs.n_given_up > TRIES_MIN / 2 && runs.n_given_up > runs.n_runs / 2
}

impl InvariantGroup {
    /// Whether all of them hold. `false` also if the interpreter must decide.
    #[inline]
    fn holds(
        &self,
        context: &mut Context<'_>,
        (ids, changed): (&[ValueId], VarSet),
        memos: &mut Memos,
    ) -> bool {
        if !may_have_changed(self.reads, changed) {
            return true;
        }
        let bits = raw::ids_as_bits(ids);
        let kept = self.kept.filter(|cell| memos.turn_one_to(cell.projection, bits));
        if kept.is_some_and(|cell| memos.at(cell) == KEPT_TRUE) {
            return true;
        }
        let hold = self.parts.iter().all(|part| part.holds(context, (ids, changed), memos) == Some(true));
        if let Some(all) = kept.filter(|_| hold) {
            memos.keep(all, KEPT_TRUE);
        }
        hold
    }
}

/// Whether a result that reads these variables may have changed, if these have.
fn may_have_changed(reads: Option<VarSet>, changed: VarSet) -> bool {
    changed == VarSet::ALL || reads.is_none_or(|reads| reads.meets(changed))
}

/// The numbers by which a truth is kept.
const KEPT_FALSE: u32 = 1;
const KEPT_TRUE: u32 = 2;

impl ConjunctCode {
    #[inline]
    fn holds(
        &self,
        context: &mut Context<'_>,
        (ids, changed): (&[ValueId], VarSet),
        memos: &mut Memos,
    ) -> Option<bool> {
        if !may_have_changed(self.reads, changed) {
            return Some(true);
        }
        let ids = raw::ids_as_bits(ids);
        let Some(cell) = self.kept.filter(|cell| memos.turn_one_to(cell.projection, ids)) else {
            return truth(self.code?, context);
        };
        match memos.at(cell) {
            KEPT_TRUE => return Some(true),
            KEPT_FALSE => return Some(false),
            _ => {}
        }
        let holds = truth(self.code?, context)?;
        memos.keep(cell, if holds { KEPT_TRUE } else { KEPT_FALSE });
        Some(holds)
    }
}

#[inline]
fn truth(code: Code, context: &mut Context<'_>) -> Option<bool> {
    context.depth = 0;
    // SAFETY: whoever has a conjunct has its `Compiled`, and the context is for it: see the top of this file.
    match unsafe { code.run(context) } {
        0 => Some(false),
        1 => Some(true),
        _ => None,
    }
}

/// Converts the successors that an action's code wrote from words to ids. Returns `None` if that is not possible; then
/// nothing was written.
#[inline]
fn intern(action: usize, context: &mut Context<'_>, found: &mut Vec<u32>) -> Option<()> {
    let start = found.len();
    let mut next = 0;
    while let Some(&mask) = context.written_words().get(next) {
        let header = found.len();
        found.extend_from_slice(&[action as u32, 0]);
        let mut left = mask;
        next += 1;
        while left != 0 {
            let Some(id) = context.id_of_written(next) else {
                found.truncate(start);
                return None;
            };
            found.extend_from_slice(&[left.trailing_zeros(), id.bits()]);
            found[header + 1] += 1;
            left &= left - 1;
            next += 1;
        }
    }
    Some(())
}

/// Notes the successors that an action's code wrote without any values. Returns `None` if states cannot hold one of these;
/// then nothing was written.
fn count(action: usize, context: &mut Context<'_>, found: &mut Vec<u32>) -> Option<()> {
    let start = found.len();
    let mut next = 0;
    while let Some(&mask) = context.written_words().get(next) {
        let values = next + 1..next + 1 + mask.count_ones() as usize;
        next = values.end;
        for place in values {
            if !context.can_store_written(place) {
                found.truncate(start);
                return None;
            }
        }
        found.extend_from_slice(&[action as u32, 0]);
    }
    Some(())
}
