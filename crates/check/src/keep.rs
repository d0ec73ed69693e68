//! A search and its checkpoints: what is left to do, written down so that it can be gone on with.
//!
//! Breadth-first, a checkpoint can be made wherever a level is expanded up to some state: then everything that
//! follows from the states before it is settled, and nothing else. When one is due, workers finish the states they
//! have taken, and the rest of the level comes after it. So it need not wait for the end of a level, which may be
//! hours away, and the order of states is the same as without. Depth-first, there is one after each state.

use std::sync::Arc;

use model::{Ended, Limit, NoVerdict, Outcome, Property, PropertyKind, Registers, Tally, What};

use crate::answer::{Counts, Kept};
use crate::bfs::Task;
use crate::checkpoint::{Barrier, First, Keeper, KeptTally, LevelStand, News, Restored, Stacked, Stand};
use crate::expand::Finding;
use crate::observe::Event;
use crate::rebuild::Target;
use crate::search::Searcher;
use crate::settle::{LastNew, Settled};
use crate::space::Handle;

/// The states that are still to be expanded.
pub(crate) enum Frontier {
    Level(Level),
    Stack(Stack),
}

/// States that have been expanded; initial states have none.
#[derive(Clone, Copy)]
pub(crate) struct Parents<'l> {
    pub states: &'l [Handle],
    /// The number of the first.
    pub start: u32,
}

/// A level of which a part may be expanded.
pub(crate) struct Level {
    start: u32,
    pub states: Arc<[Handle]>,
    n_expanded: usize,
    /// Found so far.
    pub next: Vec<Handle>,
    pub depth: u32,
    /// Counts at the beginning.
    counts: Counts,
    pub last_new: LastNew,
}

impl Level {
    /// The initial states.
    pub fn first(states: Vec<Handle>, counts: Counts) -> Level {
        Level::new(states, (0, 1), counts)
    }

    fn new(states: Vec<Handle>, (start, depth): (u32, u32), counts: Counts) -> Level {
        let last_new = LastNew { generated: counts.generated, n_left: states.len() as u64 };
        Level { start, states: states.into(), n_expanded: 0, next: Vec::new(), depth, counts, last_new }
    }

    pub fn parents(&self) -> Parents<'_> {
        Parents { states: &self.states, start: self.start }
    }

    pub fn task(&self) -> Task {
        Task {
            level: Arc::clone(&self.states),
            n_expanded: self.n_expanded,
            depth: self.depth,
            counts: self.counts,
        }
    }

    pub fn advance(&mut self, n_expanded: usize, found: Vec<Handle>, last_new: LastNew) {
        assert!(self.n_expanded <= n_expanded && n_expanded <= self.states.len(), "a level goes forwards");
        self.n_expanded = n_expanded;
        self.last_new = last_new;
        match self.next.is_empty() {
            true => self.next = found,
            false => self.next.extend(found),
        }
    }

    /// Goes to the next level when all of this one is expanded.
    pub fn begin_next_if_done(&mut self, counts: Counts) {
        if self.n_expanded == self.states.len() {
            let start = self.start + self.states.len() as u32;
            *self = Level::new(std::mem::take(&mut self.next), (start, self.depth + 1), counts);
        }
    }

    fn stand(&self) -> LevelStand {
        LevelStand {
            start: self.start,
            len: self.states.len() as u32,
            n_expanded: self.n_expanded as u32,
            depth: self.depth,
            counts: self.counts,
            last_new: self.last_new,
        }
    }

    fn restore_level(stand: LevelStand, handles: &[Handle]) -> Level {
        let end = stand.start as usize + stand.len as usize;
        Level {
            start: stand.start,
            states: handles[stand.start as usize..end].into(),
            n_expanded: stand.n_expanded as usize,
            next: handles[end..].to_vec(),
            depth: stand.depth,
            counts: stand.counts,
            last_new: stand.last_new,
        }
    }
}

#[derive(Clone, Copy)]
pub(crate) struct OnStack {
    pub handle: Handle,
    pub number: u32,
    pub depth: u32,
}

pub(crate) struct Stack {
    items: Vec<OnStack>,
    /// Below this nothing has changed since it was last written.
    n_kept: usize,
    /// The next state to be found has this number.
    n_states: u32,
    /// Something lay too deep.
    pub is_cut: bool,
}

impl Stack {
    pub fn new(initial: Vec<Handle>) -> Stack {
        let mut stack = Stack { items: Vec::new(), n_kept: 0, n_states: 0, is_cut: false };
        stack.push_all(&initial, 1);
        stack
    }

    pub fn len(&self) -> usize {
        self.items.len()
    }

    pub fn pop(&mut self) -> Option<OnStack> {
        let top = self.items.pop();
        self.n_kept = self.n_kept.min(self.items.len());
        top
    }

    /// States that were just found, in order.
    pub fn push_all(&mut self, found: &[Handle], depth: u32) {
        for &handle in found {
            self.items.push(OnStack { handle, number: self.n_states, depth });
            self.n_states += 1;
        }
    }
}

/// Counts and registers from before a state, restored when its expansion is cut off in the middle.
pub(crate) struct Before {
    counts: Counts,
    registers: Option<Vec<Registers>>,
}

impl<'a> Searcher<'a> {
    /// Goes on from the checkpoint that there is.
    pub fn resume(&mut self) -> Result<Frontier, Ended> {
        let context = self.context;
        let loading = self.keeper.as_mut().map(|keeper| (keeper.elapsed_before(), keeper.load(context)));
        let (elapsed, restored) = match loading {
            Some((elapsed, Ok(Some(restored)))) => (elapsed, restored),
            Some((_, Err(error))) => return Err(NoVerdict::Checkpoint(error).into()),
            Some((_, Ok(None))) | None => {
                return Err(self.was_cut_off());
            }
        };
        let Restored { handles, stack, barrier } = restored;
        context.board.set_counts(barrier.counts);
        context.board.restore_registers(&barrier.registers, barrier.are_registers_used);
        self.record.n_violations = usize::try_from(barrier.n_violations).unwrap_or(usize::MAX);
        self.record.tallies = barrier.tallies.iter().map(|tally| self.restored_tally(tally)).collect();
        self.first_kept = barrier.first;
        self.record.first = barrier.first.and_then(|first| {
            let (target, step) = restored_targets(first, &handles);
            what_of(first).map(|what| Box::new(self.violation(&what, target, step)))
        });
        context.board.observer.event(Event::Resumed { counts: barrier.counts, elapsed });
        let frontier = match barrier.stand {
            Stand::Breadth(stand) => Frontier::Level(Level::restore_level(stand, &handles)),
            Stand::Depth { is_cut } => Frontier::Stack(restored_stack(&stack, &handles, is_cut)),
        };
        self.barrier = Some(barrier);
        Ok(frontier)
    }

    fn restored_tally(&self, kept: &KeptTally) -> Tally {
        let program = self.context.program();
        let steps = || program.step_properties.iter().map(|property| property.root).collect();
        let roots = match kept.kind {
            PropertyKind::Invariant => program.invariants.clone(),
            PropertyKind::Step => steps(),
            PropertyKind::Initial => program.implied_inits.clone(),
            PropertyKind::Assumption | PropertyKind::Deadlock | PropertyKind::Postcondition => Vec::new(),
            PropertyKind::Possible | PropertyKind::Periodic | PropertyKind::Temporal => Vec::new(),
        };
        let root = roots.iter().find(|root| self.context.root_name(root) == kept.name);
        let span = root.map(|root| root.span);
        let property = Property { kind: kept.kind, name: kept.name.clone(), span };
        Tally { property, n_violations: kept.n_violations }
    }

    /// Writes states that were just settled.
    pub fn keep_states(&mut self, settled: &Settled, parents: Parents<'_>) -> Result<(), Ended> {
        let Some(keeper) = &mut self.keeper else { return Ok(()) };
        let news = News {
            states: &settled.level,
            found: &settled.found,
            parents: parents.states,
            parents_start: parents.start,
        };
        keeper.add(self.context, &news).map_err(|error| NoVerdict::Checkpoint(error).into())
    }

    /// A checkpoint that is made now goes on with what is left of this level.
    pub fn stand_at(&mut self, level: &Level) {
        if self.keeper.is_some() {
            let registers = self.context.board.all_registers();
            let counts = self.context.board.counts();
            self.barrier = Some(self.barrier(Stand::Breadth(level.stand()), counts, registers));
        }
    }

    /// A checkpoint that is made now goes on with this stack.
    pub fn stand_on(&mut self, stack: &mut Stack, counts: Counts) -> Result<(), NoVerdict> {
        let Some(keeper) = &mut self.keeper else { return Ok(()) };
        let stacked = |item: &OnStack| Stacked { state: item.number, depth: item.depth };
        let top = stack.items[stack.n_kept..].iter().map(stacked);
        keeper.add_stack(stack.n_kept, top).map_err(NoVerdict::Checkpoint)?;
        stack.n_kept = stack.items.len();
        let registers = self.context.board.all_registers();
        self.barrier = Some(self.barrier(Stand::Depth { is_cut: stack.is_cut }, counts, registers));
        Ok(())
    }

    /// The state on top is expanded by whoever goes on: what was done with it is taken back.
    pub fn stand_before(&mut self, stack: &mut Stack, top: OnStack, before: Before) -> Result<(), NoVerdict> {
        stack.items.push(top);
        if let Some(registers) = before.registers {
            self.context.board.restore_registers(&registers, true);
        }
        self.stand_on(stack, before.counts)
    }

    /// To be able to take back what is done with one state.
    pub fn before(&self) -> Before {
        let board = self.context.board;
        let is_needed = self.keeper.is_some() && board.are_registers_used();
        Before { counts: board.counts(), registers: is_needed.then(|| board.all_registers()) }
    }

    fn barrier(&self, stand: Stand, counts: Counts, registers: Vec<Registers>) -> Barrier {
        let kept = |tally: &Tally| KeptTally {
            kind: tally.property.kind,
            name: tally.property.name.clone(),
            n_violations: tally.n_violations,
        };
        Barrier {
            counts,
            stand,
            n_violations: self.record.n_violations as u64,
            tallies: self.record.tallies.iter().map(kept).collect(),
            first: self.first_kept,
            registers,
            are_registers_used: self.context.board.are_registers_used(),
        }
    }

    /// Makes a checkpoint if it is time.
    pub fn keep_if_due(&mut self) -> Result<(), Ended> {
        if !self.context.board.is_checkpoint_due() {
            return Ok(());
        }
        Ok(self.keep()?)
    }

    fn keep(&mut self) -> Result<(), NoVerdict> {
        let (Some(keeper), Some(barrier)) = (&mut self.keeper, &self.barrier) else { return Ok(()) };
        let board = self.context.board;
        keeper.commit(self.context, barrier).map_err(NoVerdict::Checkpoint)?;
        board.observer.event(Event::Checkpoint { counts: barrier.counts });
        board.set_next_checkpoint();
        Ok(())
    }

    /// A search that is not complete leaves a checkpoint.
    pub fn keep_unfinished(&mut self, outcome: Outcome) -> Outcome {
        if !matches!(&outcome, Err(reason) if can_go_on(reason)) {
            return outcome;
        }
        self.keep()?;
        let n_kept = self.keeper.as_ref().and_then(Keeper::n_kept);
        self.kept = n_kept.map(|distinct| Kept { distinct });
        outcome
    }

    /// How to find the first violation again.
    pub fn kept_first(&self, finding: &Finding, parents: Parents<'_>, level: &[Handle]) -> Option<First> {
        let (kind, index) = kind_of(&finding.what)?;
        let start = self.context.board.counts().distinct as u32 - level.len() as u32;
        let place = finding.stored.and_then(|stored| level.iter().position(|&other| other == stored));
        let stored = place.map(|place| start + place as u32);
        let parent = (!parents.states.is_empty()).then(|| parents.start + finding.key.rank);
        Some(First { kind, index, stored, parent, ordinal: finding.key.ordinal })
    }
}

/// Whether a search that ended for this reason could go on.
pub(crate) fn can_go_on(reason: &NoVerdict) -> bool {
    match reason {
        NoVerdict::Interrupted => true,
        reason if reason.is_out_of_memory() => true,
        NoVerdict::Limit(limit) => match limit {
            Limit::Depth(_) | Limit::States(_) | Limit::Time | Limit::Memory => true,
        },
        NoVerdict::Undefined { .. }
        | NoVerdict::Assertion { .. }
        | NoVerdict::Incomplete { .. }
        | NoVerdict::NoInitialState(_)
        | NoVerdict::Checkpoint(_)
        | NoVerdict::Disk(_)
        | NoVerdict::Unsupported(_) => false,
    }
}

fn kind_of(what: &What) -> Option<(PropertyKind, u32)> {
    match what {
        What::Invariant(index) => Some((PropertyKind::Invariant, *index as u32)),
        What::StepProperty(index) => Some((PropertyKind::Step, *index as u32)),
        What::InitialProperty(index) => Some((PropertyKind::Initial, *index as u32)),
        What::Deadlock => Some((PropertyKind::Deadlock, 0)),
        What::Incomplete | What::Fault(..) | What::Full => None,
    }
}

fn what_of(first: First) -> Option<What> {
    let index = first.index as usize;
    match first.kind {
        PropertyKind::Invariant => Some(What::Invariant(index)),
        PropertyKind::Step => Some(What::StepProperty(index)),
        PropertyKind::Initial => Some(What::InitialProperty(index)),
        PropertyKind::Deadlock => Some(What::Deadlock),
        PropertyKind::Assumption | PropertyKind::Postcondition => None,
        PropertyKind::Possible | PropertyKind::Periodic | PropertyKind::Temporal => None,
    }
}

/// The state that a violation is shown by, and the step that leads there.
fn restored_targets(first: First, handles: &[Handle]) -> (Option<Target>, Option<Target>) {
    let handle = |state: Option<u32>| state.map(|state| handles[state as usize]);
    let (parent, ordinal) = (handle(first.parent), first.ordinal);
    let step = Target::Successor { parent, ordinal };
    let target = match first.kind {
        PropertyKind::Deadlock => parent.map(Target::Stored),
        PropertyKind::Invariant | PropertyKind::Step | PropertyKind::Initial => {
            Some(handle(first.stored).map_or(step, Target::Stored))
        }
        PropertyKind::Assumption | PropertyKind::Postcondition => None,
        PropertyKind::Possible | PropertyKind::Periodic | PropertyKind::Temporal => None,
    };
    (target, parent.map(|_| step))
}

fn restored_stack(stacked: &[Stacked], handles: &[Handle], is_cut: bool) -> Stack {
    let on_stack = |&Stacked { state, depth }: &Stacked| OnStack {
        handle: handles[state as usize],
        number: state,
        depth,
    };
    Stack {
        items: stacked.iter().map(on_stack).collect(),
        n_kept: stacked.len(),
        n_states: handles.len() as u32,
        is_cut,
    }
}
