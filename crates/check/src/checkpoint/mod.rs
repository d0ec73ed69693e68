//! Checkpoints: what a search has found, on disk, so that it can be ended at any moment and gone on with later.
//!
//! A search settles its states in an order that does not depend on the number of workers. [`Keeper`] writes each
//! state to a segment when it is settled, with whatever values it consists of; a checkpoint then only finishes the
//! segment and replaces the manifest ([`folder`]), so that it costs what is new since the last. Keys and numbers
//! in the files are those of the files: nothing depends on how states and values are held in memory.
//!
//! Not here: when a checkpoint is due, and what ends a search (`keep`).

mod barrier;
mod bytes;
mod folder;
mod identity;
mod ids;
mod manifest;
mod states;
mod trouble;
mod values;

use std::io;
use std::path::Path;
use std::sync::atomic::Ordering;
use std::time::Duration;

use diag::Diagnostic;
use eval::ir::Program;
use model::{Model, PropertyKind};

pub(crate) use barrier::{Barrier, First, KeptTally, LevelStand, Stand};
use bytes::RecordReader;
use folder::{Folder, SegmentReader, SegmentWriter};
use identity::Identity;
use manifest::Manifest;
use states::{NewState, StateReader, StateWriter, put_stack};
pub(crate) use states::{News, Stacked};
use values::{NoValue, ValueReader};

use crate::context::Context;
use crate::options::Options;
use crate::space::Handle;

/// Where checkpoints are kept, and how often one is made.
#[derive(Clone, Copy, Debug)]
pub struct Checkpoints<'a> {
    pub folder: &'a Path,
    pub every: Duration,
    /// Go on from the one that is there; otherwise there must be none.
    pub is_resumed: bool,
}

type Done<T> = Result<T, Box<Diagnostic>>;

/// Writes what a search finds.
pub(crate) struct Keeper {
    folder: Folder,
    identity: Identity,
    /// The last good checkpoint.
    last: Option<Manifest>,
    states: StateWriter,
    /// Records since the last checkpoint.
    segment: Option<SegmentWriter>,
    /// Number of this process among those that wrote to the folder.
    epoch: u32,
    n_states: u32,
}

/// A search as it was when a checkpoint was made.
pub(crate) struct Restored {
    /// All states, by their numbers.
    pub handles: Vec<Handle>,
    pub stack: Vec<Stacked>,
    pub barrier: Barrier,
}

impl Keeper {
    /// Takes the folder; for a search that is gone on with, reads its manifest and refuses one that does not fit.
    pub fn open(model: Model<'_>, options: &Options<'_>, wish: Checkpoints<'_>) -> Done<Keeper> {
        let path = wish.folder;
        let folder = if wish.is_resumed { Folder::open(path) } else { Folder::make(path) };
        let folder = folder.map_err(|why| trouble::no_folder(path, &why, wish.is_resumed))?;
        let identity = Identity::of(model, options);
        let last = match wish.is_resumed {
            true => Some(read_manifest(&folder, model, &identity)?),
            false if folder.has_manifest() => return Err(trouble::taken_error(path)),
            false => None,
        };
        if let Some(last) = &last {
            let kept = &last.barrier.registers;
            let n_workers = options.n_workers.max(1);
            if last.barrier.are_registers_used && kept.len() != n_workers {
                return Err(trouble::other_workers(path, kept.len(), n_workers));
            }
        }
        let epoch =
            last.as_ref().and_then(|last| last.segments.last()).map_or(0, |segment| segment.epoch + 1);
        let states = StateWriter::default();
        Ok(Keeper { folder, identity, last, states, segment: None, epoch, n_states: 0 })
    }

    /// How long the search took before it was ended.
    pub fn elapsed_before(&self) -> Duration {
        Duration::from_millis(self.last.as_ref().map_or(0, |last| last.elapsed_ms))
    }

    /// How many distinct states the last good checkpoint has.
    pub fn n_kept(&self) -> Option<u64> {
        self.last.as_ref().map(|last| last.barrier.counts.distinct)
    }

    pub fn is_resumed(&self) -> bool {
        self.n_states == 0 && self.last.is_some()
    }

    /// Puts everything that the checkpoint has into the space. `None` if the user, the clock or the memory ended it.
    pub fn load(&mut self, context: &Context<'_>) -> Done<Option<Restored>> {
        let Some(last) = &self.last else { return Ok(None) };
        let mut loader = Loader { keeper: self, context, states: StateReader::new(context.space) };
        if !loader.segments(&last.segments)? {
            return Ok(None);
        }
        let StateReader { handles, stack, .. } = loader.states;
        let n_states = last.n_states;
        let is_whole = handles.len() == n_states as usize
            && last.barrier.counts.distinct == u64::from(n_states)
            && stack.iter().all(|stacked| stacked.state < n_states)
            && is_inside(&last.barrier, n_states)
            && is_known(&last.barrier, context.program())
            && context.witnesses.restore(&last.witnessed);
        if !is_whole {
            return Err(trouble::damaged_error(self.folder.path(), "its parts do not belong together"));
        }
        context.shared.restore_lost_updates(context.program(), &last.lost_updates);
        let barrier = last.barrier.clone();
        self.n_states = n_states;
        Ok(Some(Restored { handles, stack, barrier }))
    }

    /// Writes states that were just settled.
    pub fn add(&mut self, context: &Context<'_>, news: &News<'_>) -> Done<()> {
        let written = self.try_add(context, news);
        written.map_err(|error| self.give_up(&error))
    }

    fn try_add(&mut self, context: &Context<'_>, news: &News<'_>) -> io::Result<()> {
        self.begin_segment()?;
        let Some(segment) = &mut self.segment else { return Ok(()) };
        let mut seat = context.space.seat();
        for index in 0..news.states.len() {
            let new = NewState { news, index, number: self.n_states };
            self.states.put(segment.frame(), (context.space, &mut seat), new);
            self.n_states += 1;
            segment.end_record()?;
        }
        Ok(())
    }

    /// Writes what changed on the stack: all above the first `n_kept`.
    pub fn add_stack(&mut self, n_kept: usize, top: impl ExactSizeIterator<Item = Stacked>) -> Done<()> {
        let begun = self.begin_segment();
        begun.map_err(|error| self.give_up(&error))?;
        if let Some(segment) = &mut self.segment {
            put_stack(segment.frame(), n_kept, top);
        }
        Ok(())
    }

    /// Makes everything that was added a checkpoint.
    pub fn commit(&mut self, context: &Context<'_>, barrier: &Barrier) -> Done<()> {
        let written = self.try_commit(context, barrier);
        written.map_err(|error| self.give_up(&error))
    }

    fn try_commit(&mut self, context: &Context<'_>, barrier: &Barrier) -> io::Result<()> {
        let mut segments = self.last.as_ref().map_or_else(Vec::new, |last| last.segments.clone());
        if let Some(segment) = self.segment.take() {
            segments.push(segment.finish()?);
        }
        let elapsed = context.board.elapsed();
        let manifest = Manifest {
            identity: self.identity.clone(),
            segments,
            n_states: self.n_states,
            elapsed_ms: u64::try_from(elapsed.as_millis()).unwrap_or(u64::MAX),
            barrier: barrier.clone(),
            witnessed: context.witnesses.satisfied(),
            lost_updates: context
                .shared
                .lost_updates()
                .iter()
                .map(|&id| base::Id::index(id) as u32)
                .collect(),
        };
        self.folder.replace_manifest(&manifest.to_bytes())?;
        self.last = Some(manifest);
        Ok(())
    }

    fn begin_segment(&mut self) -> io::Result<()> {
        if self.segment.is_none() {
            let last = self.last.as_ref().and_then(|last| last.segments.last());
            let number = last.map_or(1, |segment| segment.number + 1);
            self.segment = Some(SegmentWriter::create(&self.folder, number, self.epoch)?);
        }
        Ok(())
    }

    /// Gives up what is not finished, so that there is room again.
    fn give_up(&mut self, error: &io::Error) -> Box<Diagnostic> {
        self.segment = None;
        trouble::unwritable(self.folder.path(), error, self.n_kept())
    }
}

fn read_manifest(folder: &Folder, model: Model<'_>, identity: &Identity) -> Done<Manifest> {
    let path = folder.path();
    let bytes = folder.read_manifest().map_err(|error| trouble::no_manifest(path, &error))?;
    let manifest = Manifest::of_bytes(&bytes, model.program.atoms);
    let manifest = manifest.map_err(|bad| trouble::bad_manifest(path, &bad))?;
    let differences = identity.differences(&manifest.identity);
    if differences.is_empty() { Ok(manifest) } else { Err(trouble::mismatch(path, differences)) }
}

/// Whether all numbers of states are of states that there are.
fn is_inside(barrier: &Barrier, n_states: u32) -> bool {
    let is_state = |state: Option<u32>| state.is_none_or(|state| state < n_states);
    let is_first_inside = barrier.first.is_none_or(|first| is_state(first.stored) && is_state(first.parent));
    let is_stand_inside = match barrier.stand {
        Stand::Breadth(level) => {
            level.start.checked_add(level.len).is_some_and(|end| end <= n_states)
                && level.n_expanded <= level.len
        }
        Stand::Depth { .. } => true,
    };
    is_first_inside && is_stand_inside
}

/// Whether the first violation is of a property that there is.
fn is_known(barrier: &Barrier, program: &Program) -> bool {
    barrier.first.is_none_or(|first| {
        let n_properties = match first.kind {
            PropertyKind::Invariant => program.invariants.len(),
            PropertyKind::Step => program.step_properties.len(),
            PropertyKind::Initial => program.implied_inits.len(),
            PropertyKind::Deadlock => 1,
            PropertyKind::Assumption | PropertyKind::Postcondition => 0,
            PropertyKind::Possible | PropertyKind::Periodic | PropertyKind::Temporal => 0,
        };
        (first.index as usize) < n_properties
    })
}

/// How many records are read between two looks at the clock and the memory.
const RECORDS_BETWEEN_LOOKS: u32 = 1 << 12;

struct Loader<'l> {
    keeper: &'l Keeper,
    context: &'l Context<'l>,
    states: StateReader<'l>,
}

impl Loader<'_> {
    /// `false` when it was ended.
    fn segments(&mut self, segments: &[folder::Segment]) -> Done<bool> {
        for segments in segments.chunk_by(|one, next| one.epoch == next.epoch) {
            let mut values = ValueReader::new(self.context.program().atoms);
            for &segment in segments {
                if !self.segment(segment, &mut values)? {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }

    fn segment(&mut self, segment: folder::Segment, values: &mut ValueReader) -> Done<bool> {
        let path = self.keeper.folder.path();
        let bad = |bad| trouble::bad_segment(path, segment.number, &bad);
        let mut file = SegmentReader::open(&self.keeper.folder, segment).map_err(bad)?;
        let mut frame = Vec::new();
        while file.next(&mut frame).map_err(bad)? {
            match self.frame(&frame, values) {
                Ok(true) => {}
                Ok(false) => return Ok(false),
                Err(NoValue::Broken) => return Err(bad(folder::BadSegment::Content)),
                Err(NoValue::Full) => {
                    self.context.board.limits.memory_over.store(true, Ordering::Relaxed);
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }

    /// `false` when it was ended.
    fn frame(&mut self, frame: &[u8], values: &mut ValueReader) -> Result<bool, NoValue> {
        let space = self.context.space;
        let mut seat = space.seat();
        let mut reader = RecordReader::new(frame);
        let mut n_records = 0u32;
        while !reader.is_empty() {
            match reader.byte()? {
                values::ATOM => values.atom_record(&mut reader)?,
                values::SHAPE => values.shape_record(&mut reader)?,
                values::VALUE => values.value_record(&mut reader)?,
                values::STATE => self.states.state_record(&mut seat, values, &mut reader)?,
                values::STACK => self.states.stack_record(&mut reader)?,
                _ => return Err(NoValue::Broken),
            }
            n_records += 1;
            if n_records.is_multiple_of(RECORDS_BETWEEN_LOOKS) && self.is_over() {
                return Ok(false);
            }
        }
        drop(seat);
        // States of one frame are found at one level: it is too small to matter.
        space.end_level(0).map_err(|_| NoValue::Full)?;
        Ok(!self.is_over())
    }

    fn is_over(&self) -> bool {
        self.context.board.tick(self.context.space);
        self.context.board.is_over()
    }
}
