//! State predicates and actions evaluated in every state and on every step that a search has found.

use std::cell::Cell;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use eval::interp::{Fault, FaultKind, Machine};
use model::temporal::bits::{BitSets, Cache};
use model::{NoVerdict, Phase, REGION_BYTES_MAX, STACK_BYTES, fault};
use trace::Finding as Shown;
use value::{Interner, Value, ValueId};

use super::derived::{Derived, Source};
use super::entries::Entries;
use super::graph::{NONE, StateGraph};
use super::log::{self, StepReader};
use super::{Liveness, cut_off};
use crate::context::Context;
use crate::rebuild::{self, Target};
use crate::run::WorkerRun;
use crate::space::{Handle, StateSlot};

/// The records of one piece of the log, evaluated.
struct Piece {
    index: usize,
    /// For each record its state, the set of state atoms, the set of action atoms of a step that changes nothing, and
    /// where its steps are.
    nodes: Vec<(u32, u32, u32, u32)>,
    bytes: Vec<u8>,
}

/// The reason why an atom has no value.
pub(super) struct Trouble {
    pub handle: Handle,
    pub fault: Box<Fault>,
}

/// Data that all workers share.
struct Work<'w, 'a> {
    context: &'a Context<'a>,
    liveness: &'w Liveness,
    /// The sets of derived fair actions, by number.
    bits: Vec<u64>,
    classes: BitSets,
    /// Chunks of steps. The thread that evaluates one takes it out, so that no step is held twice.
    chunks: Vec<Mutex<Vec<u8>>>,
    next: AtomicUsize,
    is_over: AtomicBool,
    done: Mutex<Vec<Piece>>,
    troubles: Mutex<Vec<Trouble>>,
}

/// The graph of everything that was expanded.
pub(super) fn graph<'c, 'a>(
    context: &'a Context<'a>,
    liveness: &Liveness,
) -> Result<StateGraph<'c, 'a>, NoVerdict>
where
    'a: 'c,
{
    let work = Work {
        context,
        liveness,
        bits: liveness.bits.all().iter().map(|set| set.first().copied().unwrap_or(0)).collect(),
        classes: BitSets::default(),
        chunks: liveness.log.take().into_iter().map(Mutex::new).collect(),
        next: AtomicUsize::new(0),
        is_over: AtomicBool::new(false),
        done: Mutex::default(),
        troubles: Mutex::default(),
    };
    work.run();
    let Work { classes, done, troubles, .. } = work;
    let troubles = troubles.into_inner().unwrap_or_else(PoisonError::into_inner);
    if let Some(trouble) = troubles.into_iter().min_by_key(|trouble| trouble.handle.0) {
        return Err(undefined_verdict(context, &trouble));
    }
    if context.board.is_over() {
        return Err(cut_off(context));
    }
    let mut pieces = done.into_inner().unwrap_or_else(PoisonError::into_inner);
    pieces.sort_by_key(|piece| piece.index);
    let mut graph = join_pieces(context, [classes.all(), liveness.labels.all()], pieces);
    graph.enter(&liveness.asked);
    Ok(graph)
}

fn join_pieces<'c, 'a>(
    context: &'a Context<'a>,
    [class_sets, label_sets]: [Vec<Box<[u64]>>; 2],
    pieces: Vec<Piece>,
) -> StateGraph<'c, 'a>
where
    'a: 'c,
{
    let n_nodes = context.space.handles_end() as usize;
    let mut graph = StateGraph {
        context,
        initial: Vec::new(),
        classes: vec![NONE; n_nodes],
        stutters: vec![0; n_nodes],
        places: vec![(0, 0); n_nodes],
        pieces: Vec::with_capacity(pieces.len()),
        class_sets,
        label_sets,
        n_asked: Cell::new(0),
        entries: Entries::default(),
    };
    for piece in pieces {
        let number = graph.pieces.len() as u32;
        for (node, class, stutter, at) in piece.nodes {
            let node = node as usize;
            (graph.classes[node], graph.stutters[node], graph.places[node]) = (class, stutter, (number, at));
        }
        graph.pieces.push(piece.bytes);
    }
    let is_initial =
        |&node: &u32| graph.classes[node as usize] != NONE && context.space.parent(Handle(node)).is_none();
    graph.initial = (0..n_nodes as u32).filter(is_initial).collect();
    graph
}

impl<'a> Work<'_, 'a> {
    fn run(&self) {
        let n_workers = self.context.board.options.n_workers.clamp(1, self.chunks.len().max(1));
        if n_workers == 1 {
            return self.work(0);
        }
        std::thread::scope(|scope| {
            for worker in 0..n_workers {
                base::spawn_deep(scope, STACK_BYTES, move || self.work(worker));
            }
        });
    }

    fn work(&self, worker: usize) {
        // What was printed when the states were expanded is not printed again.
        let run = WorkerRun::silent(self.context, worker);
        let mut caches = (self.classes.cache(), self.liveness.labels.cache());
        loop {
            let index = self.next.fetch_add(1, Ordering::Relaxed);
            let Some(chunk) = self.chunks.get(index) else { return };
            let chunk = std::mem::take(&mut *chunk.lock().unwrap_or_else(PoisonError::into_inner));
            match self.piece(&run, (index, &chunk), &mut caches) {
                Ok(Some(piece)) => self.done.lock().unwrap_or_else(PoisonError::into_inner).push(piece),
                Ok(None) => return,
                Err(trouble) => {
                    self.is_over.store(true, Ordering::Relaxed);
                    self.troubles.lock().unwrap_or_else(PoisonError::into_inner).push(trouble);
                    return;
                }
            }
        }
    }

    /// `None` when the work is to end before it is done.
    fn piece<'k>(
        &self,
        run: &WorkerRun<'a>,
        (index, chunk): (usize, &[u8]),
        caches: &mut (Cache<'k>, Cache<'k>),
    ) -> Result<Option<Piece>, Trouble> {
        let mut reader = StepReader::new(chunk, 0);
        let mut piece = Piece { index, nodes: Vec::new(), bytes: Vec::with_capacity(chunk.len()) };
        let mut region = self.context.board.region();
        while !reader.is_at_end() {
            self.context.board.tick(self.context.space);
            if self.is_over.load(Ordering::Relaxed) || self.context.board.is_over() {
                return Ok(None);
            }
            region.reset();
            let mut evaluator = Evaluator {
                work: self,
                machine: Machine::new(self.context.program(), self.context.shared, &region, run),
                caches,
                ids: vec![ValueId::from_bits(0); self.context.space.n_variables()],
            };
            while !reader.is_at_end() && !region.is_reset_due(REGION_BYTES_MAX) {
                let (source, enabled) = (reader.number(), reader.number());
                let mut steps = Vec::new();
                let n_steps = reader.number();
                reader.steps(source, n_steps, |target, label| steps.push((target, label)));
                let evaluated = evaluator.state((source, enabled), &mut steps);
                let (class, stutter) =
                    evaluated.map_err(|fault| Trouble { handle: Handle(source), fault })?;
                piece.nodes.push((source, class, stutter, piece.bytes.len() as u32));
                log::put(&mut piece.bytes, steps.len() as u32);
                log::put_steps(&mut piece.bytes, source, &steps);
            }
        }
        Ok(Some(piece))
    }
}

/// Evaluates the atoms of states, one after the other.
struct Evaluator<'w, 'k, 'a, 'r> {
    work: &'w Work<'w, 'a>,
    machine: Machine<'a, 'r>,
    /// Sets of state atoms, sets of action atoms.
    caches: &'w mut (Cache<'k>, Cache<'k>),
    ids: Vec<ValueId>,
}

impl<'r> Evaluator<'_, '_, '_, 'r> {
    /// The sets of atoms of a state and of a step that changes nothing. `steps` get the handles of their targets and
    /// their labels, and those back to the state itself are left out.
    fn state(
        &mut self,
        (source, enabled): (u32, u32),
        steps: &mut Vec<(u32, u32)>,
    ) -> Result<(u32, u32), Box<Fault>> {
        let liveness = self.work.liveness;
        let evaluates_steps = Derived::evaluates(&liveness.derived.actions);
        if evaluates_steps || Derived::evaluates(&liveness.derived.states) {
            let state = self.values(source);
            self.machine.set_state(state.iter().copied());
            self.machine.set_successor(state);
        }
        let asked = if liveness.asks() { liveness.asked.answers().own(Handle(source)) } else { 0 };
        let class = self.class(self.work.bits[enabled as usize], asked)?;
        let stutter = self.label(0)?;
        for (target, label) in steps.iter_mut() {
            *target = self.work.context.space.handle_of(StateSlot(*target)).0;
            if liveness.labels_at_once {
                continue;
            }
            if evaluates_steps {
                let next = self.values(*target);
                self.machine.set_successor(next);
            }
            *label = self.label(self.work.bits[*label as usize])?;
        }
        // What leads back to the same place is another state where states are compared by something else.
        steps.retain(|&(target, label)| target != source || liveness.labels_at_once && label != stutter);
        steps.sort_unstable();
        steps.dedup();
        Ok((class, stutter))
    }

    fn values(&mut self, handle: u32) -> Vec<Value<'r>> {
        self.work.context.space.state(Handle(handle), &mut self.ids);
        self.ids.iter().map(|&id| Interner::shared().value(id)).collect()
    }

    /// The set of state atoms that hold in the machine's state, where these fair actions are enabled, and these atoms that
    /// ask about the run held.
    fn class(&mut self, enabled: u64, asked: u64) -> Result<u32, Box<Fault>> {
        let Liveness { atoms, derived, .. } = self.work.liveness;
        let (classes, machine) = (&mut self.caches.0, &mut self.machine);
        classes.number_of(atoms.states.len(), |atom| match derived.states[atom] {
            Source::Generated(bit) => Ok(enabled >> bit & 1 == 1),
            Source::Asked(bit) => Ok(asked >> bit & 1 == 1),
            Source::Evaluated => machine.atom_holds(&atoms.states[atom]),
        })
    }

    /// The set of action atoms that hold of the machine's step, which is one of these fair actions.
    fn label(&mut self, bits: u64) -> Result<u32, Box<Fault>> {
        let Liveness { atoms, derived, .. } = self.work.liveness;
        let (labels, machine) = (&mut self.caches.1, &mut self.machine);
        labels.number_of(atoms.actions.len(), |atom| match derived.actions[atom] {
            Source::Generated(bit) => Ok(bits >> bit & 1 == 1),
            Source::Evaluated | Source::Asked(_) => machine.atom_holds(&atoms.actions[atom]),
        })
    }
}

pub(super) fn undefined_verdict<'a>(context: &'a Context<'a>, trouble: &Trouble) -> NoVerdict {
    if matches!(trouble.fault.kind, FaultKind::Interrupted) {
        return cut_off(context);
    }
    let error = Box::new(fault::diagnostic(context.model, &trouble.fault));
    let run = WorkerRun::new(context, 0);
    let mut trace = rebuild::trace(context, &run, Target::Stored(trouble.handle));
    let (code, message) = (Some(error.code.id().to_owned()), error.headline.clone());
    trace.finding = Shown::EvaluationError { code, message };
    trace.failure = Some(fault::failure(context.model, &trouble.fault));
    let (phase, trace) = (Phase::Temporal, Some(Box::new(trace)));
    NoVerdict::Undefined { phase, initial: false, error, fault: None, trace }
}
