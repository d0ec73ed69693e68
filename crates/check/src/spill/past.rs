//! How each state was reached, on disk, and the states on the way to some of them made again.
//!
//! A state has a number here: those of a level follow each other in the order of the search.

use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;
use std::sync::{Mutex, PoisonError};

use base::FxHashMap;
use eval::interp::Machine;
use model::{Side, intern_made};
use value::{Ground, Interner, Region, ValueId};

use super::blocks::BlockFile;
use super::runs::Cursor;
use super::sink::read_values;
use crate::context::Context;
use crate::rebuild::{SuccessorOf, Wanted, at_successor};
use crate::run::WorkerRun;
use crate::space::Handle;

/// Stands for the parent of an initial state.
const NO_PARENT: u32 = u32::MAX;
const ENTRY_BYTES: usize = 8;
const BUFFER_BYTES: usize = 64 << 10;

/// Stands for the ordinal of a state whose values are known.
const KNOWN: u32 = u32::MAX;
/// Stands for the ordinal of a state that has another number too.
const SAME: u32 = u32::MAX - 1;

/// How a state was reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// In memory, where its values were known; an initial state has no parent.
    Known { parent: Option<u32> },
    /// The state with this number is the same.
    Same { number: u32 },
    /// As the successor of `parent` with this number.
    Successor { parent: u32, ordinal: u32 },
}

impl Step {
    fn before(self) -> Option<u32> {
        match self {
            Step::Known { parent } => parent,
            Step::Same { number } => Some(number),
            Step::Successor { parent, .. } => Some(parent),
        }
    }

    fn bits(self) -> u64 {
        let ordinal = match self {
            Step::Known { .. } => KNOWN,
            Step::Same { .. } => SAME,
            Step::Successor { ordinal, .. } => ordinal,
        };
        u64::from(self.before().unwrap_or(NO_PARENT)) << 32 | u64::from(ordinal)
    }

    fn of_bits(bits: u64) -> Step {
        let before = (bits >> 32) as u32;
        match bits as u32 {
            KNOWN => Step::Known { parent: (before != NO_PARENT).then_some(before) },
            SAME => Step::Same { number: before },
            ordinal => Step::Successor { parent: before, ordinal },
        }
    }
}

pub(crate) struct Past {
    steps: File,
    /// The states that were visited in memory, by number.
    known: BlockFile,
    /// The states that were made again: their places in the space of the context, and their levels.
    remade: Mutex<FxHashMap<u32, (Handle, u32)>>,
}

impl Past {
    /// `steps` is written by a [`StepWriter`].
    pub(super) fn new(steps: File, known: BlockFile) -> Past {
        Past { steps, known, remade: Mutex::default() }
    }

    pub(super) fn writer(&self, number: u32) -> StepWriter<'_> {
        StepWriter::new(&self.steps, number)
    }

    /// Keeps a state whose values are known, as a successor of the one before it.
    fn keep(
        &self,
        context: &Context<'_>,
        number: u32,
        before: Option<(Handle, u32)>,
    ) -> io::Result<Option<(Handle, u32)>> {
        let cursor = Cursor::new(&self.known, (number.into(), number.into()))?;
        let Some(record) = cursor.record() else { return Ok(None) };
        let region = Region::new();
        let ids: Option<Vec<ValueId>> = read_values(&region, record.key)?
            .into_iter()
            .map(|value| Interner::shared().intern(Ground::opt(value)?).ok())
            .collect();
        let parent = before.map(|(handle, _)| handle);
        let kept = ids.and_then(|ids| context.space.keep(parent, &ids).ok());
        Ok(kept.map(|handle| (handle, before.map_or(1, |(_, level)| level + 1))))
    }

    fn step(&self, number: u32) -> io::Result<Step> {
        let mut entry = [0; ENTRY_BYTES];
        self.steps.read_exact_at(&mut entry, u64::from(number) * ENTRY_BYTES as u64)?;
        Ok(Step::of_bits(u64::from_le_bytes(entry)))
    }

    /// The state with this number, kept in the space of the context with all that lead to it. `None` if one of
    /// them is no longer what it was: a specification may read a clock.
    pub fn handle<'a>(&self, context: &'a Context<'a>, number: u32) -> io::Result<Option<Handle>> {
        let mut remade = self.remade.lock().unwrap_or_else(PoisonError::into_inner);
        let mut way = Vec::new();
        let mut at = Some(number);
        while let Some(number) = at.filter(|number| !remade.contains_key(number)) {
            let step = self.step(number)?;
            way.push((number, step));
            at = step.before();
        }
        for (number, step) in way.into_iter().rev() {
            let before = step.before().and_then(|before| remade.get(&before).copied());
            let made = match (step, before) {
                (Step::Known { .. }, before) => self.keep(context, number, before)?,
                (Step::Same { .. }, before) => before,
                (Step::Successor { ordinal, .. }, Some((parent, level))) => {
                    remake(context, (parent, level), ordinal).map(|handle| (handle, level + 1))
                }
                (Step::Successor { .. }, None) => None,
            };
            let Some(made) = made else { return Ok(None) };
            remade.insert(number, made);
        }
        Ok(remade.get(&number).map(|&(handle, _)| handle))
    }
}

/// Makes the successor of a state that was kept, which has this level, and keeps it.
pub(super) fn remake<'a>(
    context: &'a Context<'a>,
    (parent, level): (Handle, u32),
    ordinal: u32,
) -> Option<Handle> {
    let run = WorkerRun::new(context, 0);
    run.quietly(|| {
        let region = Region::new();
        let mut machine = Machine::new(context.program(), context.shared, &region, &run);
        run.expand(level, Some(parent));
        let mut ids = None;
        let target = SuccessorOf { parent: Some(parent), wanted: &Wanted::Number(ordinal) };
        at_successor(context, &run, &mut machine, target, &mut |machine, action| {
            ids = intern_made(machine, Side::made_by(action));
        })?;
        context.space.keep(Some(parent), &ids?).ok()
    })
}

/// Appends steps, in the order of numbers.
pub(super) struct StepWriter<'a> {
    steps: &'a File,
    offset: u64,
    buffer: Vec<u8>,
}

impl<'a> StepWriter<'a> {
    /// The first step is that of the state `number`.
    pub fn new(steps: &'a File, number: u32) -> StepWriter<'a> {
        StepWriter { steps, offset: u64::from(number) * ENTRY_BYTES as u64, buffer: Vec::new() }
    }

    pub fn push(&mut self, step: Step) -> io::Result<()> {
        self.buffer.extend(step.bits().to_le_bytes());
        if self.buffer.len() >= BUFFER_BYTES { self.flush() } else { Ok(()) }
    }

    pub fn flush(&mut self) -> io::Result<()> {
        self.steps.write_all_at(&self.buffer, self.offset)?;
        self.offset += self.buffer.len() as u64;
        self.buffer.clear();
        Ok(())
    }
}
