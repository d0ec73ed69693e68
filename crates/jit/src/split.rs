//! Actions in pieces.
//!
//! Many actions are a list of guards and of values for variables, each of which depends on one variable alone. The
//! successor by such an action is put together from the results that are kept for each of these variables: there are
//! far fewer values of one variable than there are states. Its code is run only for pieces that are not known yet.

use eval::interp::VarSet;
use eval::ir::{IrId, VarIdx};

use crate::code::Action;
use crate::emit::Emitter;
use crate::memo::{Cell, MemoPlan, Memos};

/// Number of guards of an action that are distinguished when one is false.
pub(crate) const STAGES_MAX: usize = 8;

/// The pieces of an action, while its code is made.
#[derive(Debug, Default)]
pub(crate) struct Draft {
    /// The variables that its guards read, as bits: in order, each once.
    guards: Vec<u64>,
    updates: Vec<DraftUpdate>,
    /// Whether the code does not tell apart that some guard is false.
    pub has_silent_guard: bool,
}

#[derive(Debug)]
struct DraftUpdate {
    variable: VarIdx,
    reads: u64,
    /// The place where the code already keeps the value.
    cell: Option<Cell>,
}

impl Draft {
    /// Adds a guard. Returns the number with which it ends the action if it is false.
    fn guard(&mut self, reads: u64) -> Option<usize> {
        let stage = self.stage(reads);
        self.has_silent_guard |= stage.is_none();
        stage
    }

    fn stage(&mut self, reads: u64) -> Option<usize> {
        let stage = match self.guards.iter().position(|&other| other == reads) {
            // A piece between the two may have no value.
            Some(stage) if stage + 1 < self.guards.len() => return None,
            Some(stage) => stage,
            None => {
                self.guards.push(reads);
                self.guards.len() - 1
            }
        };
        // A value given to a variable before may have none either.
        (self.updates.is_empty() && stage < STAGES_MAX).then_some(stage)
    }
}

impl Emitter<'_, '_, '_> {
    /// Returns the variables that a piece of an action reads, if at most one variable determines it.
    pub fn piece(&self, id: IrId) -> Option<VarSet> {
        let reads = eval::interp::reads(self.program, id)?;
        let is_piece = reads.bits().count_ones() <= 1 && self.is_closed(id);
        is_piece.then_some(reads)
    }

    /// Adds a guard, which must hold for the action to continue. Returns the number with which the action ends if it is
    /// false and distinguished.
    pub fn draft_guard(&mut self, id: IrId) -> Option<usize> {
        self.draft.as_ref()?;
        match self.piece(id) {
            Some(reads) => self.draft.as_mut().and_then(|draft| draft.guard(reads.bits())),
            None => {
                self.draft = None;
                None
            }
        }
    }

    /// Adds a variable whose value these variables determine, and which the code keeps in `cell`.
    pub fn draft_update(&mut self, variable: VarIdx, reads: Option<VarSet>, cell: Option<Cell>) {
        match (&mut self.draft, reads) {
            (Some(draft), Some(reads)) => {
                draft.updates.push(DraftUpdate { variable, reads: reads.bits(), cell });
            }
            (_, _) => self.draft = None,
        }
    }
}

/// The pieces of an action.
#[derive(Clone, Debug)]
pub(crate) struct Split {
    /// The projection of each guard.
    guards: Box<[usize]>,
    /// The variables that get values, in order, and the places of these.
    updates: Box<[(u32, Cell)]>,
}

impl Split {
    /// Makes a split with room for the results, if that is possible.
    pub fn new(draft: &Draft, plan: &mut MemoPlan, n_variables: usize) -> Option<Split> {
        let mut room = |reads, n_words| plan.cell(reads, n_words, n_variables);
        let guards: Option<Box<[usize]>> =
            draft.guards.iter().map(|&reads| Some(room(reads, 0)?.projection)).collect();
        let update = |update: &DraftUpdate| {
            let cell = update.cell.or_else(|| room(update.reads, 1))?;
            Some((u32::from(update.variable.0), cell))
        };
        let mut updates: Vec<(u32, Cell)> = draft.updates.iter().map(update).collect::<Option<_>>()?;
        updates.sort_unstable_by_key(|&(variable, _)| variable);
        Some(Split { guards: guards?, updates: updates.into() })
    }

    /// Returns the projection of the guard with which the action ended.
    pub fn stage(&self, stage: usize) -> Option<usize> {
        self.guards.get(stage).copied()
    }

    pub fn guards(&self) -> &[usize] {
        &self.guards
    }

    /// Writes the successor, if all its values are known: each variable, then the id.
    #[inline]
    pub fn write(&self, index: usize, memos: &Memos, found: &mut Vec<u32>) -> bool {
        let start = found.len();
        // PERF: `extend` with an array calls `memcpy` for eight bytes.
        found.extend_from_slice(&[index as u32, self.updates.len() as u32]);
        for &(variable, cell) in &self.updates {
            let kept = memos.at(cell);
            if kept == 0 {
                found.truncate(start);
                return false;
            }
            found.extend_from_slice(&[variable, !kept]);
        }
        true
    }

    /// Keeps the values of a successor that was written.
    pub fn keep(&self, words: &[[u32; 2]], memos: &Memos) {
        for (&(variable, cell), &[given, id]) in self.updates.iter().zip(words) {
            debug_assert_eq!(variable, given);
            memos.keep(cell, !id);
        }
    }
}

/// The actions of a block of 64 that are possible, as far as their guards are known.
#[derive(Debug, Default)]
pub(crate) struct Screen {
    /// The actions in pieces.
    split: u64,
    /// Their guards; the first guards of all actions come first.
    needs: Vec<Need>,
    /// The places that record that actions are not possible, whatever else is known of these.
    sure: Vec<Need>,
}

/// Some actions, and the places in a row of a projection that record which of them are not possible, and whose guards
/// all hold.
#[derive(Debug)]
struct Need {
    projection: usize,
    mask: u64,
    closed: Option<usize>,
    open: Option<usize>,
}

impl Need {
    /// Returns the actions that are not possible, and those whose guards all hold, by the row of the current state.
    #[inline]
    fn look(&self, memos: &Memos) -> (u64, u64) {
        let bits =
            |at: Option<usize>| at.map_or(0, |word| memos.pair(Cell { projection: self.projection, word }));
        (bits(self.closed) & self.mask, bits(self.open))
    }
}

/// The places that record, by projection, which actions are not possible, and whose guards all hold.
#[derive(Debug, Default)]
pub(crate) struct Bits {
    closed: Vec<Option<Cell>>,
    open: Vec<Option<Cell>>,
}

impl Bits {
    pub fn new(actions: &[Action], plan: &mut MemoPlan) -> Bits {
        let n_words = 2 * actions.len().div_ceil(64);
        let mut room = |is_used: &dyn Fn(&Action, usize) -> bool| -> Vec<Option<Cell>> {
            let is_used = |projection| actions.iter().any(|action| is_used(action, projection));
            let projections = 0..plan.len();
            let cell = |projection| is_used(projection).then(|| plan.widen(projection, n_words));
            projections.map(cell).collect()
        };
        let open = room(&|action, projection| action.guards().contains(&projection));
        let closed = room(&|action, projection| {
            action.is_closed_by(projection) || action.guards().contains(&projection)
        });
        Bits { closed, open }
    }

    /// Returns the place of the bits of a block of actions in a row.
    fn need(&self, projection: usize, block: usize, mask: u64) -> Need {
        let at = |cells: &[Option<Cell>]| cells[projection].map(|cell| cell.word + 2 * block);
        Need { projection, mask, closed: at(&self.closed), open: at(&self.open) }
    }

    fn set(cell: Option<Cell>, index: usize, memos: &Memos) {
        if let Some(cell) = cell {
            memos.keep_bit(cell, index);
        }
    }

    /// Keeps that an action is not possible, by a projection.
    pub fn close(&self, index: usize, projection: usize, memos: &Memos) {
        Bits::set(self.closed[projection], index, memos);
    }

    /// Keeps that all guards of an action that read a projection hold.
    pub fn open(&self, index: usize, projection: usize, memos: &Memos) {
        Bits::set(self.open[projection], index, memos);
    }
}

impl Screen {
    /// Makes a screen for each 64 actions.
    pub fn all(actions: &[Action], bits: &Bits) -> Vec<Screen> {
        actions.chunks(64).enumerate().map(|(block, actions)| Screen::new(actions, block, bits)).collect()
    }

    fn new(actions: &[Action], block: usize, bits: &Bits) -> Screen {
        let n_projections = bits.closed.len();
        let mask = |is_in: &dyn Fn(&Action) -> bool| {
            actions.iter().enumerate().fold(0, |mask, (nth, action)| mask | u64::from(is_in(action)) << nth)
        };
        let n_stages = actions.iter().map(|action| action.guards().len()).max().unwrap_or(0);
        let stages = (0..n_stages).flat_map(|stage| (0..n_projections).map(move |of| (stage, of)));
        let needs = stages.map(|(stage, of)| (of, mask(&|action| action.guards().get(stage) == Some(&of))));
        let sure = |of: usize| mask(&|action| action.is_closed_by(of));
        Screen {
            split: mask(&|action| action.split.is_some()),
            needs: all_needs(&mut needs.map(|(of, mask)| bits.need(of, block, mask))),
            sure: all_needs(&mut (0..n_projections).map(|of| bits.need(of, block, sure(of)))),
        }
    }

    /// Returns the actions that are not possible, and those whose guards all hold.
    #[inline]
    pub fn look(&self, memos: &Memos) -> (u64, u64) {
        let mut closed = self.sure.iter().fold(0, |closed, need| closed | need.look(memos).0);
        // A guard is evaluated only if all before it hold: otherwise it may have no value.
        let mut alive = self.split;
        for need in &self.needs {
            if alive & need.mask != 0 {
                let (is_closed, is_open) = need.look(memos);
                closed |= alive & is_closed;
                alive &= !need.mask | is_open;
            }
        }
        (closed, alive)
    }
}

fn all_needs(needs: &mut dyn Iterator<Item = Need>) -> Vec<Need> {
    needs.filter(|need| need.mask != 0).collect()
}
