//! Running code: the successors of a state, whether formulas hold in it, and what is kept of both for the next time.

use eval::interp::{Machine, VarSet};
use value::{Interner, ValueId, raw};

use crate::cache::OpCache;
use crate::code::{Code, Compiled, Part};
use crate::emit::{CLOSED, DONE};
use crate::memo::{Cell, Memos};
use crate::runtime::Context;

/// What a worker keeps between runs of code.
#[derive(Debug)]
pub struct Scratch {
    lent: Lent,
    kept: Kept,
    /// The code that the memos are about.
    serial: u64,
}

/// What code has while it runs.
#[derive(Debug)]
struct Lent {
    words: Vec<u64>,
    cache: OpCache,
}

/// What came of it.
#[derive(Debug, Default)]
struct Kept {
    found: Found,
    actions: Memos,
    formulas: Memos,
    /// The state that formulas were last asked about.
    asked: Vec<ValueId>,
    /// The actions that may be possible in the state that was turned to, as bits.
    open: Vec<u64>,
}

/// Successors that were found.
#[derive(Debug, Default)]
pub struct Found {
    /// Each the number of its action, its mask in two halves, and the ids of the variables in the mask.
    words: Vec<u32>,
}

const MASK: usize = 1;
const IDS: usize = 3;

impl Default for Scratch {
    fn default() -> Scratch {
        let lent = Lent { words: vec![0; 1 << 10], cache: OpCache::default() };
        Scratch { lent, kept: Kept::default(), serial: 0 }
    }
}

impl Scratch {
    /// Makes it fit the code, which has so much room for what it keeps.
    pub fn prepare(&mut self, code: &Compiled, n_bytes: usize) {
        if self.serial != code.serial {
            self.serial = code.serial;
            self.kept.actions = Memos::new(&code.actions_plan);
            self.kept.formulas = Memos::new(&code.formulas_plan);
            self.kept.asked.clear();
        }
        self.kept.actions.limit(n_bytes);
        self.kept.formulas.limit(n_bytes / 2);
    }

    /// What was found last; to be given back.
    pub fn take_found(&mut self) -> Found {
        std::mem::take(&mut self.kept.found)
    }

    pub fn give_back(&mut self, found: Found) {
        self.kept.found = found;
    }
}

impl Kept {
    fn turn_formulas_to(&mut self, ids: &[ValueId]) {
        if self.asked != ids {
            self.asked.clear();
            self.asked.extend_from_slice(ids);
            self.formulas.turn_away();
        }
    }
}

impl Lent {
    /// To the code, about the state with these ids.
    fn context(&mut self, machine: &mut Machine<'_, '_>, ids: &[ValueId]) -> Context {
        let window = raw::window(Interner::shared());
        Context::new(machine, raw::id_bits(ids), window, (&mut self.words, &mut self.cache))
    }
}

impl Found {
    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    /// The one at `position`, and where the next begins.
    #[inline]
    pub fn at(&self, position: usize) -> Option<(Successor<'_>, usize)> {
        let words = self.words.get(position..).filter(|words| !words.is_empty())?;
        let mask = u64::from(words[MASK]) | u64::from(words[MASK + 1]) << 32;
        let end = IDS + mask.count_ones() as usize;
        Some((Successor { action: words[0] as usize, mask, ids: &words[IDS..end] }, position + end))
    }
}

/// A successor: the variables that were given values, and these.
#[derive(Clone, Copy, Debug)]
pub struct Successor<'s> {
    /// The action that it is a step of.
    pub action: usize,
    mask: u64,
    ids: &'s [u32],
}

impl Successor<'_> {
    /// Each variable that was given a value, and its id.
    #[inline]
    pub fn ids(self) -> impl Iterator<Item = (usize, ValueId)> {
        let mut mask = self.mask;
        self.ids.iter().map(move |&bits| {
            let index = mask.trailing_zeros() as usize;
            mask &= mask - 1;
            (index, ValueId::from_bits(bits))
        })
    }
}

/// Why the interpreter must do an action.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ran {
    /// It has none.
    NoCode,
    /// It met something that it was not made for.
    GaveUp,
}

impl Compiled {
    /// Writes down the successors of the state with these ids, the current state of the machine, by the actions from
    /// `first` on, up to one that the interpreter must do. That one, if there is one, and why.
    #[inline]
    pub fn run_actions(
        &self,
        first: usize,
        machine: &mut Machine<'_, '_>,
        ids: &[ValueId],
        scratch: &mut Scratch,
    ) -> Option<(usize, Ran)> {
        let Scratch { lent, kept, .. } = scratch;
        kept.found.words.clear();
        if first == 0 {
            kept.actions.turn_to(raw::ids_as_bits(ids));
        }
        let mut context = lent.context(machine, ids);
        context.rows = kept.actions.addresses();
        for block in first / 64..self.actions.len().div_ceil(64) {
            let mut todo = self.open(block, &kept.actions);
            if block == first / 64 {
                todo &= u64::MAX << (first % 64);
            }
            while todo != 0 {
                let index = block * 64 + todo.trailing_zeros() as usize;
                todo &= todo - 1;
                if let Err(why) = self.run_action(index, &mut context, kept) {
                    return Some((index, why));
                }
            }
        }
        None
    }

    /// From here on, [`Compiled::run_alone`] is about the state with these ids.
    pub fn turn_to(&self, ids: &[ValueId], scratch: &mut Scratch) {
        let Kept { actions, open, .. } = &mut scratch.kept;
        actions.turn_to(raw::ids_as_bits(ids));
        actions.addresses();
        open.clear();
        open.extend((0..self.actions.len().div_ceil(64)).map(|block| self.open(block, actions)));
    }

    /// Whether it is known that an action has no successors in the state that was turned to.
    #[inline]
    pub fn is_closed(&self, action: usize, scratch: &Scratch) -> bool {
        scratch.kept.open[action / 64] >> (action % 64) & 1 == 0
    }

    /// Writes down the successors by one action alone, of the state that was turned to, which is the current state of
    /// the machine.
    pub fn run_alone(
        &self,
        action: usize,
        machine: &mut Machine<'_, '_>,
        ids: &[ValueId],
        scratch: &mut Scratch,
    ) -> Result<(), Ran> {
        let Scratch { lent, kept, .. } = scratch;
        kept.found.words.clear();
        let mut context = lent.context(machine, ids);
        context.rows = kept.actions.known_addresses();
        self.run_action(action, &mut context, kept)
    }

    /// The actions of a block of 64 that may be possible.
    #[inline]
    fn open(&self, block: usize, memos: &Memos) -> u64 {
        let n_actions = (self.actions.len() - block * 64).min(64);
        let all = u64::MAX >> (64 - n_actions);
        memos.rows().fold(all, |open, projection| {
            let Some(cell) = self.closed[projection] else { return open };
            let kept = memos.at(cell).map_or([0; 2], |kept| [kept[2 * block], kept[2 * block + 1]]);
            open & !(u64::from(kept[0]) | u64::from(kept[1]) << 32)
        })
    }

    #[inline]
    fn run_action(&self, index: usize, context: &mut Context, kept: &mut Kept) -> Result<(), Ran> {
        let action = &self.actions[index];
        if let Some(cell) = action.kept
            && let Some(&[list, ..]) = kept.actions.at(cell)
            && list != 0
        {
            kept.found.words.extend_from_slice(kept.actions.list(cell.projection, list));
            return Ok(());
        }
        let code = action.code.ok_or(Ran::NoCode)?;
        context.rewind();
        match (code.0)(std::ptr::from_mut(context)) as i64 {
            DONE => {}
            CLOSED => {
                self.close(index, action.lead, kept);
                return Ok(());
            }
            _ => return Err(Ran::GaveUp),
        }
        let start = kept.found.words.len();
        // A set that is not explicit, say: the interpreter knows what to do.
        intern(index, context, &mut kept.found.words).ok_or(Ran::GaveUp)?;
        if let Some(cell) = action.kept.filter(|&cell| kept.actions.at(cell).is_some()) {
            self.keep((index, cell), kept, start);
        }
        Ok(())
    }

    /// Keeps what an action did: what was found from `start` on.
    fn keep(&self, (index, cell): (usize, Cell), kept: &mut Kept, start: usize) {
        let Kept { found, actions, .. } = kept;
        let list = &found.words[start..];
        if list.is_empty() {
            return self.close(index, Some(cell.projection), kept);
        }
        let list = actions.keep_list(cell.projection, list);
        if let Some(words) = actions.at_mut(cell) {
            words[0] = list;
        }
    }

    /// Keeps that an action is not possible, by the variables of a projection.
    fn close(&self, index: usize, projection: Option<usize>, kept: &mut Kept) {
        let cell = projection.and_then(|projection| self.closed[projection]);
        if let Some(words) = cell.and_then(|cell| kept.actions.at_mut(cell)) {
            words[index / 32] |= 1 << (index % 32);
        }
    }

    /// Whether those conjuncts of all invariants hold in the state with these ids, the current one of the machine, that
    /// may not if only these variables have changed since they did. `false` also where the interpreter must say.
    pub fn all_invariants(
        &self,
        machine: &mut Machine<'_, '_>,
        (ids, changed): (&[ValueId], VarSet),
        scratch: &mut Scratch,
    ) -> bool {
        scratch.kept.turn_formulas_to(ids);
        let mut context = scratch.lent.context(machine, ids);
        let memos = &mut scratch.kept.formulas;
        let mut parts = self.invariants.iter().flatten();
        parts.all(|part| part.holds(&mut context, (ids, changed), memos) == Some(true))
    }

    /// The same for one invariant. `None` when the interpreter must say.
    pub fn invariant(
        &self,
        index: usize,
        machine: &mut Machine<'_, '_>,
        of: (&[ValueId], VarSet),
        scratch: &mut Scratch,
    ) -> Option<bool> {
        hold(&self.invariants[index], machine, of, scratch)
    }

    /// The same for a constraint.
    #[inline]
    pub fn constraint(
        &self,
        index: usize,
        machine: &mut Machine<'_, '_>,
        of: (&[ValueId], VarSet),
        scratch: &mut Scratch,
    ) -> Option<bool> {
        hold(&self.constraints[index], machine, of, scratch)
    }
}

/// Whether all of these hold.
fn hold(
    parts: &[Part],
    machine: &mut Machine<'_, '_>,
    (ids, changed): (&[ValueId], VarSet),
    scratch: &mut Scratch,
) -> Option<bool> {
    scratch.kept.turn_formulas_to(ids);
    let mut context = scratch.lent.context(machine, ids);
    for part in parts {
        if !part.holds(&mut context, (ids, changed), &mut scratch.kept.formulas)? {
            return Some(false);
        }
    }
    Some(true)
}

/// How a truth is kept.
const KEPT_FALSE: u32 = 1;
const KEPT_TRUE: u32 = 2;

impl Part {
    #[inline]
    fn holds(
        &self,
        context: &mut Context,
        (ids, changed): (&[ValueId], VarSet),
        memos: &mut Memos,
    ) -> Option<bool> {
        let is_open = changed == VarSet::ALL || self.reads.is_none_or(|reads| reads.meets(changed));
        if !is_open {
            return Some(true);
        }
        let ids = raw::ids_as_bits(ids);
        let Some(cell) = self.kept.filter(|cell| memos.turn_one_to(cell.projection, ids)) else {
            return truth(self.code?, context);
        };
        match memos.at(cell) {
            Some(&[KEPT_TRUE, ..]) => return Some(true),
            Some(&[KEPT_FALSE, ..]) => return Some(false),
            Some(_) | None => {}
        }
        let holds = truth(self.code?, context)?;
        if let Some(kept) = memos.at_mut(cell) {
            kept[0] = if holds { KEPT_TRUE } else { KEPT_FALSE };
        }
        Some(holds)
    }
}

#[inline]
fn truth(code: Code, context: &mut Context) -> Option<bool> {
    match (code.0)(std::ptr::from_mut(context)) {
        0 => Some(false),
        1 => Some(true),
        _ => None,
    }
}

/// Writes the successors that an action's code wrote down as words, as ids. `None` if that cannot be done; then
/// nothing was written.
#[inline]
fn intern(action: usize, context: &mut Context, found: &mut Vec<u32>) -> Option<()> {
    let start = found.len();
    let mut next = 0;
    while let Some(&mask) = context.written().get(next) {
        found.extend([action as u32, mask as u32, (mask >> 32) as u32]);
        let end = next + 1 + mask.count_ones() as usize;
        for place in next + 1..end {
            let Some(id) = context.id_of_written(place) else {
                found.truncate(start);
                return None;
            };
            found.push(id.bits());
        }
        next = end;
    }
    Some(())
}
